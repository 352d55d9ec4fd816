/**
 * Listens to a live page's events (`liveRoute`): elements that come replace those with the same id. live.js says when
 * the page does not follow any more. Without scripts nothing of it is seen.
 */
export function LiveStream({ src }: { src: string }) {
  return (
    <div id="live" hx-sse:connect={src} hx-swap="none" hx-trigger="load, reconnect">
      <p class="notice" role="status" data-live-state hidden />
    </div>
  );
}
