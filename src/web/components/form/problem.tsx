/** What was wrong with a form that was sent; nothing, when nothing was. */
export function Problem({ message }: { message: string | undefined }) {
  return message ? (
    <p class="alert alert-danger" role="alert">
      {message}
    </p>
  ) : null;
}
