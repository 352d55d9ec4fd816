import { CliError } from '#src/cli/cli-error.js';
import { EXIT } from '#src/cli/exit-codes.js';
import { oneLine } from '#src/cli/text.js';

interface ErrorBody {
  message?: string;
  code?: string;
  fields?: { field: string; message: string }[];
  requestId?: string;
}

/** An error response: the server's message and what to do about it. */
export class ApiError extends CliError {
  override name = 'ApiError';
  constructor(
    readonly status: number,
    readonly body: ErrorBody,
  ) {
    super(wordsOf(status, body), status >= 500 || status === 429 ? EXIT.error : EXIT.usage);
  }
}

/** The server did not respond in time. */
export class UnreachableError extends CliError {
  override name = 'UnreachableError';
  constructor(message: string, options?: ErrorOptions) {
    super(message, EXIT.error, options);
  }
}

function wordsOf(status: number, { message, fields = [], requestId }: ErrorBody): string {
  const words = [message ? oneLine(message) : `The server responded with status ${status}.`];
  // Problems that the message does not mention.
  for (const { field, message: problem } of fields)
    if (!message?.includes(problem)) words.push(`  ${oneLine(field)}: ${oneLine(problem)}`);
  if (status === 401) words.push('Run `runhook login`, or set RUNHOOK_API_TOKEN.');
  if (status >= 500 && requestId) words.push(`Search the server’s log for request ${oneLine(requestId)}.`);
  return words.join('\n');
}

/** The reason of a failed fetch, in few words. */
export function reasonOf(error: unknown): string {
  const cause = (error as { cause?: unknown }).cause;
  const { code, message } = (cause ?? error) as { code?: string; message?: string };
  return code ?? message ?? String(error);
}
