/** Text to take along: shown whole, with a button that copies it (app.js) and says so. */
export function Copy({ id, text, label = 'Copy' }: { id: string; text: string; label?: string }) {
  return (
    <div class="copy">
      <pre id={id} tabindex={0}>
        <code>{text}</code>
      </pre>
      <button type="button" class="btn btn-sm btn-outline-primary" data-copy={`#${id}`} hidden>
        {label}
      </button>
    </div>
  );
}
