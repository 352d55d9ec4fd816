export interface CopyProps {
  id: string;
  /** What is copied. */
  text: string;
  /** What the button says. */
  label?: string;
  /** Of a secret: what is shown in its place until somebody wants to see it. */
  masked?: string;
  /** Of a secret: it is shown. */
  isRevealed?: boolean;
}

/** Text to take along: shown whole, or masked until asked for, with a button that copies it (app.js) and says so. */
export function Copy({ id, text, label = 'Copy', masked, isRevealed = false }: CopyProps) {
  const isSecret = masked !== undefined;
  return (
    <div class="copy">
      <pre id={id} tabindex={0} data-secret={isSecret ? text : undefined} data-masked={masked}>
        {isSecret && !isRevealed ? masked : text}
      </pre>
      <div class="buttons">
        {isSecret ? (
          <button
            type="button"
            class="btn btn-sm btn-outline-secondary"
            data-reveal={`#${id}`}
            aria-controls={id}
            hidden
          >
            {isRevealed ? 'Hide' : 'Show'}
          </button>
        ) : null}
        <button type="button" class="btn btn-sm btn-outline-primary" data-copy={`#${id}`} aria-live="polite" hidden>
          {label}
        </button>
      </div>
    </div>
  );
}
