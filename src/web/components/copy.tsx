interface CopyProps {
  id: string;
  /** What is copied. */
  text: string;
  /** What the button says. */
  label?: string;
  /** Masked until the reader reveals it. */
  secret?: Secrecy;
}

export interface Secrecy {
  /** What is shown in place of the text. */
  masked: string;
  /** The text is shown. */
  isRevealed: boolean;
  /** The page on which it is shown, or masked again: for who runs no scripts. */
  otherPage: string;
}

/** Text to take along: shown whole, or masked until asked for, with a button that copies it (app.js) and confirms it. */
export function Copy({ id, text, label = 'Copy', secret }: CopyProps) {
  return (
    <div class="copy">
      <pre id={id} tabindex={0} data-secret={secret && text} data-masked={secret?.masked}>
        {secret && !secret.isRevealed ? secret.masked : text}
      </pre>
      <div class="buttons">
        {secret ? (
          <a class="btn btn-sm btn-outline-secondary" href={secret.otherPage} data-reveal={`#${id}`} aria-controls={id}>
            {secret.isRevealed ? 'Hide' : 'Show'}
          </a>
        ) : null}
        <button type="button" class="btn btn-sm btn-outline-primary" data-copy={`#${id}`} aria-live="polite" hidden>
          {label}
        </button>
      </div>
    </div>
  );
}
