/** A server-sent event. */
export interface StreamEvent {
  /** Default: `message`. */
  event: string;
  data: string;
}

export interface EventReader {
  status: number;
  headers: Headers;
  /** Events so far. */
  events: StreamEvent[];
  /** Whether the server has ended it. */
  isEnded(): boolean;
  close(): void;
}

/** Reads a stream of events like a browser. */
export async function readEvents(url: string, headers: Record<string, string>): Promise<EventReader> {
  const gone = new AbortController();
  const response = await fetch(url, { headers: { accept: 'text/event-stream', ...headers }, signal: gone.signal });
  const events: StreamEvent[] = [];
  let isEnded = false;
  const read = async () => {
    let rest = '';
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + text).split('\n\n');
      rest = parts.pop()!;
      events.push(...parts.filter((part) => !part.startsWith(':')).map(eventOf));
    }
    isEnded = true;
  };
  // An interrupted stream counts as ended.
  read().catch(() => (isEnded = true));
  return {
    status: response.status,
    headers: response.headers,
    events,
    isEnded: () => isEnded,
    close: () => gone.abort(),
  };
}

function eventOf(part: string): StreamEvent {
  const lines = part.split('\n').map((line) => /^(\w+): (.*)$/.exec(line) ?? []);
  const of = (field: string) => lines.filter(([, name]) => name === field).map(([, , value]) => value!);
  return { event: of('event')[0] ?? 'message', data: of('data').join('\n') };
}
