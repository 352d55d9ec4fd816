/**
 * Listens to a live page's events (`liveRoute`): elements that come replace those with the same id. live.js says when
 * the page no longer follows. Without scripts it is invisible.
 * @param isNext in a live message: listens in place of the one that got it
 */
export function LiveStream({ src, isNext }: { src: string; isNext?: boolean }) {
  const swap = isNext ? { 'hx-swap-oob': 'outerHTML' } : {};
  return (
    <div id="live" hx-sse:connect={src} hx-swap="none" hx-trigger="load, reconnect" {...swap}>
      <p class="notice" role="status" data-live-state hidden />
    </div>
  );
}
