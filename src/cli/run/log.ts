import type { Http } from '#src/cli/api/http.js';
import type { LogPage } from '#src/cli/api/responses.js';
import { pause } from '#src/cli/pause.js';

const PAGE = 500;
/** A request with `follow` waits up to 20 s for new lines. */
const FOLLOW_DEADLINE_MS = 40_000;
/** In case the server does not wait. */
const EMPTY_PAUSE_MS = 500;

export type LogLine = LogPage['results'][number];

/** Reads the log of a test run from its beginning; with `follow`, until the run ends. */
export async function* logOf(
  http: Http,
  runId: string,
  { follow = false, signal, patienceMs }: { follow?: boolean; signal?: AbortSignal; patienceMs?: number } = {},
): AsyncGenerator<LogLine> {
  let after: string | number | undefined;
  for (;;) {
    const page = await http.json<LogPage>({
      path: `/testruns/${runId}/logs/`,
      query: { limit: PAGE, after, follow: follow || undefined },
      deadlineMs: FOLLOW_DEADLINE_MS,
      patienceMs,
      signal,
    });
    after = page.next ?? page.results.at(-1)?.cursor ?? after;
    if (page.results.length > 0) {
      yield* page.results;
      continue;
    }
    if (page.ended || !follow) return;
    await pause(EMPTY_PAUSE_MS, signal);
  }
}

/** The last lines of a log. If it cannot be read, one line with the reason: the verdict must be reported anyway. */
export async function endOfLog(http: Http, runId: string, lines: number, patienceMs: number): Promise<string[]> {
  let end: string[] = [];
  try {
    for await (const { text } of logOf(http, runId, { patienceMs })) {
      end.push(text.replace(/[\r\n]+$/, ''));
      if (end.length >= 2 * PAGE) end = end.slice(-lines);
    }
  } catch (error) {
    return [`(Could not read the log: ${(error as Error).message})`];
  }
  return end.slice(-lines);
}
