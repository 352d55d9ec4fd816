/** A message of a stream of server-sent events. */
export interface StreamEvent {
  /** `message` where it has no name. */
  event: string;
  data: string;
}

export interface EventReader {
  status: number;
  headers: Headers;
  /** What has come so far. */
  events: StreamEvent[];
  /** Whether the server has ended it. */
  isEnded(): boolean;
  close(): void;
}

/** Reads a stream of events as a browser does. */
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
  // A stream that is cut off is over as well.
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
