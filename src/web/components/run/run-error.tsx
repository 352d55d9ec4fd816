import type { ErrorCode } from '#src/domain/runs/run.js';
import { ERROR_TEXTS } from '#src/web/texts/error-texts.js';
import { DocsLink } from '#src/web/components/docs-link.js';

/** An error code: what it means, what was noted with it, and what to do. */
export function RunError({ code, message }: { code: ErrorCode; message?: string | undefined }) {
  const { meaning, remedy } = ERROR_TEXTS[code];
  return (
    <div class="notice bad">
      <p>
        <strong>{meaning}</strong> <code>{code}</code>
      </p>
      {message ? <p class="text">{message}</p> : null}
      <p>
        {remedy} <DocsLink to="errorCodes" />
      </p>
    </div>
  );
}
