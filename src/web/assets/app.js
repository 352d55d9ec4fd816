// What the pages do in the browser beside htmx, by attributes. Without it everything can still be read.
(() => {
  const csrfToken = document.querySelector('meta[name="csrf-token"]')?.content;

  /** Runs `act` for every element with this attribute, also for those that come later. */
  function onEach(attribute, act) {
    const visit = (root) => {
      if (root.nodeType !== Node.ELEMENT_NODE) return;
      if (root.hasAttribute(attribute)) act(root);
      for (const element of root.querySelectorAll(`[${attribute}]`)) act(element);
    };
    visit(document.documentElement);
    new MutationObserver((records) => {
      for (const { type, target, addedNodes } of records) {
        if (type === 'attributes') visit(target);
        else addedNodes.forEach(visit);
      }
    }).observe(document.documentElement, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: [attribute],
    });
  }

  // <time data-moment datetime="…">: in the reader's zone, the exact value to hover over.
  const dayAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
  function showMoment(time) {
    const moment = new Date(time.dateTime);
    const text = dayAndTime.format(moment);
    if (time.textContent !== text) time.textContent = text;
  }
  onEach('data-moment', showMoment);
  // A live message has given elements that stay the server's text again.
  document.addEventListener('htmx:after:swap', () => document.querySelectorAll('[data-moment]').forEach(showMoment));

  // <time data-since="…">: how long ago that was, counting. `data-since` holds the moment.
  const elapsed = (ms) => {
    const seconds = Math.max(0, Math.floor(ms / 1000));
    if (seconds < 60) return `${seconds} s`;
    const minutes = Math.floor(seconds / 60);
    return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  };
  // The reader's clock may be wrong: the page contains its time of creation.
  const clockIsAhead = Date.now() - Date.parse(document.documentElement.dataset.now ?? new Date().toISOString());
  setInterval(() => {
    for (const element of document.querySelectorAll('[data-since]')) {
      const text = elapsed(Date.now() - clockIsAhead - Date.parse(element.dataset.since));
      if (element.textContent !== text) element.textContent = text;
    }
  }, 1000);

  // <button data-copy="#id">, with data-copy-text="…" where it copies other text: copies, and confirms it.
  onEach('data-copy', (button) => (button.hidden = false));
  async function copy(button) {
    const label = (button.dataset.label ??= button.textContent);
    const source = document.querySelector(button.dataset.copy);
    // What is masked is copied in clear.
    const text = button.dataset.copyText ?? source.dataset.secret ?? source.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      // Browsers give the clipboard to pages of https and of this machine only; the selection can be copied on all.
      if (source.dataset.secret) source.textContent = text;
      getSelection()?.selectAllChildren(source);
      button.textContent = document.execCommand('copy') ? 'Copied' : 'Press Ctrl+C';
    }
    clearTimeout(button.copyTimer);
    button.copyTimer = setTimeout(() => (button.textContent = label), 3000);
  }

  // <a data-dialog href="…">: the page that it leads to, as a dialog on this one.
  const dialog = document.getElementById('dialog');
  async function openDialog(link) {
    const answer = await fetch(link.href, { headers: { 'X-Runhook-Dialog': 'true', Accept: 'text/html' } });
    // Signed out meanwhile, or gone: the whole page says it.
    if (!answer.ok || answer.redirected) return location.assign(link.href);
    showDialog(await answer.text(), link);
  }
  function showDialog(html, opener) {
    dialog.innerHTML = html;
    const close = document.createElement('button');
    close.type = 'button';
    close.className = 'btn-close';
    close.ariaLabel = 'Close';
    close.addEventListener('click', () => dialog.close());
    dialog.prepend(close);
    const heading = dialog.querySelector('h1, h2');
    if (heading) {
      heading.id ||= 'dialog-title';
      dialog.removeAttribute('aria-label');
      dialog.setAttribute('aria-labelledby', heading.id);
    }
    globalThis.htmx?.process(dialog);
    // Else the arrow keys move among tabs only after a click on one.
    for (const tab of dialog.querySelectorAll('[data-bs-toggle=tab]')) bootstrap.Tab.getOrCreateInstance(tab);
    dialog.addEventListener('close', () => (dialog.replaceChildren(), opener.focus()), { once: true });
    dialog.showModal();
  }
  dialog?.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });

  // The theme: system, light, dark.
  const THEMES = [null, 'light', 'dark'];
  onEach('data-theme-toggle', (button) => {
    button.hidden = false;
    button.textContent = `Theme: ${localStorage.getItem('theme') ?? 'system'}`;
  });
  function nextTheme(button) {
    const theme = THEMES[(THEMES.indexOf(localStorage.getItem('theme')) + 1) % THEMES.length];
    if (theme) localStorage.setItem('theme', theme);
    else localStorage.removeItem('theme');
    button.textContent = `Theme: ${theme ?? 'system'}`;
    dispatchEvent(new Event('runhook:theme'));
  }

  // <a data-reveal="#id" href="…">: shows what is masked, and masks it again, in place of the page that it leads to.
  onEach('data-reveal', (link) => link.setAttribute('role', 'button'));
  function reveal(link) {
    const target = document.querySelector(link.dataset.reveal);
    const isShown = target.textContent === target.dataset.secret;
    target.textContent = isShown ? target.dataset.masked : target.dataset.secret;
    link.textContent = isShown ? 'Show' : 'Hide';
  }

  addEventListener('click', (event) => {
    const on = (selector) => event.target instanceof Element && event.target.closest(selector);
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
    const link = on('a[data-dialog]');
    if (link && isPlain && dialog) {
      event.preventDefault();
      void openDialog(link);
    }
    if (on('[data-copy]')) void copy(on('[data-copy]'));
    if (on('[data-theme-toggle]')) nextTheme(on('[data-theme-toggle]'));
    if (on('[data-reveal]') && isPlain) {
      event.preventDefault();
      reveal(on('[data-reveal]'));
    }
  });

  // A form is sent once, however often its button is pressed.
  addEventListener('submit', (event) => {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || form.method !== 'post') return;
    const isSent = form.dataset.sent === 'true';
    form.dataset.sent = 'true';
    if (isSent) return event.preventDefault();
    // Not at once: a disabled button would not be sent along.
    setTimeout(() => submitter && (submitter.disabled = true));
  });
  // Back from the page behind it: the form may be sent again.
  addEventListener('pageshow', () => {
    for (const form of document.querySelectorAll('form[data-sent]')) {
      delete form.dataset.sent;
      for (const button of form.querySelectorAll(':disabled[type=submit]')) button.disabled = false;
    }
  });

  // On a phone the tabs scroll sideways: the open one is in view.
  for (const tab of document.querySelectorAll('.tab-links .active'))
    tab.closest('.tab-links').scrollLeft = tab.offsetLeft - (innerWidth - tab.offsetWidth) / 2;

  // What scripts have made a button of is pressed like one.
  addEventListener('keydown', (event) => {
    const link = event.target instanceof Element && event.target.closest('a[role=button]');
    if (event.key !== ' ' || !link) return;
    event.preventDefault();
    link.click();
  });

  // <… data-retry="5">: requests the page at this interval, in seconds, until it is available, and loads it then.
  onEach('data-retry', (element) => {
    const ask = async () => {
      const answer = await fetch(location.href, { method: 'HEAD', headers: { Accept: 'text/html' } }).catch(() => null);
      if (answer && answer.status !== 503) location.reload();
      else setTimeout(ask, Number(element.dataset.retry) * 1000);
    };
    setTimeout(ask, Number(element.dataset.retry) * 1000);
  });

  // "/" goes to the search of a list.
  addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select, dialog[open]');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
    const search = document.querySelector('input[type=search]');
    if (!search) return;
    event.preventDefault();
    search.focus();
  });

  globalThis.runhook = { csrfToken, showDialog };
})();
