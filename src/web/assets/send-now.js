// <form data-send-now="#answer">: sends it here and now, and shows the answer as it came, in place of leaving the page.
(() => {
  const PATIENCE_MS = 15_000;

  async function sendNow(form) {
    const place = document.querySelector(form.dataset.sendNow);
    const button = form.querySelector('[type=submit]');
    button.disabled = true;
    place.replaceChildren(element('p', 'Sending …'));
    const from = performance.now();
    try {
      const answer = await fetch(form.action, { method: 'POST', signal: AbortSignal.timeout(PATIENCE_MS) });
      const body = await answer.text();
      place.replaceChildren(...shown(answer, body, Math.round(performance.now() - from)));
    } catch {
      place.replaceChildren(
        element('p', 'No response: the server is unavailable or this browser is offline. Try again in a moment.'),
      );
    }
    button.disabled = false;
  }

  function shown({ status, statusText, ok }, body, ms) {
    const line = element('p', ` in ${ms} ms`);
    line.prepend(element('strong', `${status} ${statusText}`.trim()));
    const text = element('pre', body);
    text.tabIndex = 0;
    return ok ? [line, text, linkToRun(body)] : [line, text];
  }

  function linkToRun(body) {
    const link = element('a', 'Open the run');
    // Not `webapp_url`: a person who came here by another name of the server is signed in by that name.
    link.href = `/runs/${encodeURIComponent(JSON.parse(body).id)}`;
    link.className = 'btn btn-sm btn-outline-primary';
    return link;
  }

  function element(name, text) {
    const made = document.createElement(name);
    made.textContent = text;
    return made;
  }

  document.addEventListener('submit', (event) => {
    if (event.target.dataset.sendNow === undefined) return;
    event.preventDefault();
    void sendNow(event.target);
  });
})();
