import type { ErrorCode } from '../../domain/run.js';
import { ERROR_TEXTS } from '../error-texts.js';

/** An error code: what it means, what was noted with it, and what to do. */
export function RunError({ code, message }: { code: ErrorCode; message?: string | undefined }) {
  const { meaning, remedy } = ERROR_TEXTS[code];
  return (
    <div class="notice bad">
      <p>
        <strong>{meaning}</strong> <code>{code}</code>
      </p>
      {message ? <p class="text">{message}</p> : null}
      <p>{remedy}</p>
    </div>
  );
}
