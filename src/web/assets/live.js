// What hx-sse leaves to the page: a first connection that fails is tried again, and the reader knows when nothing comes.
(() => {
  const RETRY_MS = 2000;
  const REFUSED = [401, 403, 404];
  const isRefused = new WeakSet();

  function say(stream, text, link) {
    const state = stream.querySelector('[data-live-state]');
    state.hidden = !text;
    state.textContent = text;
    if (!link) return;
    const again = document.createElement('a');
    again.href = location.href;
    again.textContent = link;
    state.append(' ', again);
  }

  function refused(stream) {
    isRefused.add(stream);
    say(stream, 'This page no longer updates: you are signed out or no longer have access.', 'Reload the page');
  }

  const streamOf = ({ target }) => (target instanceof Element ? target.closest('#live') : null);

  // The first connection is a request like others. A stream is no answer: `htmx:after:request` comes for failures only.
  function firstFailed(event) {
    const stream = streamOf(event);
    if (!stream) return;
    if (REFUSED.includes(event.detail.ctx?.response?.status)) return refused(stream);
    say(stream, 'Reconnecting to the server…');
    setTimeout(() => htmx.trigger(stream, 'reconnect'), RETRY_MS);
  }
  document.addEventListener('htmx:error', firstFailed);
  document.addEventListener('htmx:response:error', firstFailed);

  document.addEventListener('htmx:sse:after:connection', (event) => {
    const stream = streamOf(event);
    if (stream) say(stream, '');
  });
  document.addEventListener('htmx:sse:error', (event) => {
    const stream = streamOf(event);
    if (!stream) return;
    if (REFUSED.includes(event.detail.status)) return refused(stream);
    if (event.detail.connection?.attempt > 1) say(stream, 'Reconnecting to the server…');
  });
  document.addEventListener('htmx:sse:before:connection', (event) => {
    if (isRefused.has(event.target)) event.preventDefault();
  });
})();
