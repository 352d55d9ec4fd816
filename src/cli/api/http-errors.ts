import { CliError } from '../cli-error.js';
import { EXIT } from '../exit-codes.js';
import { oneLine } from '../text.js';

interface ErrorBody {
  message?: string;
  code?: string;
  fields?: { field: string; message: string }[];
  requestId?: string;
}

/** The server refused: its own words, and what to do about it. */
export class ApiError extends CliError {
  override name = 'ApiError';
  constructor(
    readonly status: number,
    readonly body: ErrorBody,
  ) {
    super(wordsOf(status, body), status >= 500 || status === 429 ? EXIT.error : EXIT.usage);
  }
}

/** Nobody answered, or not in time. */
export class UnreachableError extends CliError {
  override name = 'UnreachableError';
  constructor(message: string, options?: ErrorOptions) {
    super(message, EXIT.error, options);
  }
}

function wordsOf(status: number, { message, fields = [], requestId }: ErrorBody): string {
  const words = [message ? oneLine(message) : `The server answered with ${status}.`];
  // Where the message does not say it all.
  for (const { field, message: problem } of fields)
    if (!message?.includes(problem)) words.push(`  ${oneLine(field)}: ${oneLine(problem)}`);
  if (status === 401) words.push('Sign in: runhook login (or set RUNHOOK_API_TOKEN).');
  if (status >= 500 && requestId) words.push(`Look for request ${oneLine(requestId)} in the server’s log.`);
  return words.join('\n');
}

/** The reason of a failed fetch, in few words. */
export function reasonOf(error: unknown): string {
  const cause = (error as { cause?: unknown }).cause;
  const { code, message } = (cause ?? error) as { code?: string; message?: string };
  return code ?? message ?? String(error);
}
