/** Says that the page loads again by itself, and lets the reader stop it. */
export function Refreshing({ path, seconds, isPaused }: { path: string; seconds: number; isPaused: boolean }) {
  return isPaused ? (
    <p class="muted">
      This page no longer updates by itself. <a href={path}>Update it every {seconds} seconds</a>
    </p>
  ) : (
    <p class="muted">
      This page updates itself every {seconds} seconds until the run is over.{' '}
      <a href={`${path}?refresh=off`}>Pause updates</a>
    </p>
  );
}
