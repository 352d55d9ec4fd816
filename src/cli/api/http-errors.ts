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
    super(messageOf(status, body), status >= 500 || status === 429 ? EXIT.error : EXIT.usage);
  }
}

/** The server did not respond in time. */
export class UnreachableError extends CliError {
  override name = 'UnreachableError';
  constructor(message: string, options?: ErrorOptions) {
    super(message, EXIT.error, options);
  }
}

function messageOf(status: number, { message, fields = [], requestId }: ErrorBody): string {
  const lines = [message ? oneLine(message) : `The server responded with status ${status}.`];
  // Problems that the message does not mention.
  for (const { field, message: problem } of fields)
    if (!message?.includes(problem)) lines.push(`  ${oneLine(field)}: ${oneLine(problem)}`);
  if (status === 401) lines.push('Run `runhook login`, or set RUNHOOK_API_TOKEN.');
  if (status >= 500 && requestId) lines.push(`Search the server’s log for request ${oneLine(requestId)}.`);
  return lines.join('\n');
}

/** A short reason for a failed fetch. */
export function reasonOf(error: unknown): string {
  const cause = (error as { cause?: unknown }).cause;
  const { code, message } = (cause ?? error) as { code?: string; message?: string };
  return code ?? message ?? String(error);
}
