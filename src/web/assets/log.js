// The log on the page of a test run: loads what is around, searches, follows. Without it, it is links and text.
(() => {
  const section = document.querySelector('[data-log]');
  if (!section) return;
  const one = (name) => section.querySelector(`[data-log-${name}]`);
  const [box, list, search, count, follow] = ['box', 'lines', 'search', 'count', 'follow'].map(one);
  const input = search.querySelector('input');

  /** More than this is too much for a page: the oldest go, and can be loaded again. */
  const MOST_LINES = 10_000;
  /** How much of the log a search loads at most. */
  const SEARCHED_LINES = 10_000;

  // --- Places: attempt.delivery.line
  const placeOf = (item) => item?.dataset.place ?? null;
  const compare = (a, b) => {
    const [left, right] = [a, b].map((place) => (place ?? '0.0.0').split('.').map(Number));
    const index = [0, 1, 2].find((at) => left[at] !== right[at]);
    return index === undefined ? 0 : left[index] - right[index];
  };
  const lines = () => list.querySelectorAll('[data-place]');
  const firstPlace = () => placeOf(list.querySelector('[data-place]'));
  const lastPlace = () => placeOf([...list.children].findLast((item) => item.dataset.place));
  const isAtEnd = () => one('later').hidden;

  // --- Times in the reader's zone
  const clock = new Intl.DateTimeFormat(undefined, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
  });
  function localise(root) {
    for (const time of root.querySelectorAll('time')) {
      const at = new Date(time.dateTime);
      time.textContent = clock.format(at);
      time.title = time.dateTime;
    }
  }

  // --- Adding lines
  function parsed(html) {
    const template = document.createElement('template');
    template.innerHTML = html;
    localise(template.content);
    return template.content.querySelector('ol');
  }
  function append(ol) {
    const last = lastPlace();
    const parts = new Set([...list.querySelectorAll('[data-part]')].map(({ dataset }) => dataset.part));
    const isNew = ({ dataset: { place, part } }) => (part ? !parts.has(part) : !last || compare(place, last) > 0);
    list.append(...[...ol.children].filter(isNew));
    for (let tooMany = lines().length - MOST_LINES; tooMany > 0; tooMany--) {
      list.querySelector('[data-place]').remove();
      one('earlier').hidden = false;
    }
    one('empty').hidden = lastPlace() !== null;
    if (isFollowing) scrollToEnd();
    searchAgain();
  }
  function prepend(ol) {
    const fromBottom = box.scrollHeight - box.scrollTop;
    // The part's heading comes with the lines before.
    const heading = list.firstElementChild;
    if (heading?.dataset.part && ol.querySelector(`[data-part="${heading.dataset.part}"]`)) heading.remove();
    one('earlier').hidden = ol.dataset.hasEarlier !== 'true';
    list.prepend(...ol.children);
    box.scrollTop = box.scrollHeight - fromBottom;
  }
  async function load(query) {
    const answer = await fetch(`${section.dataset.log}?${query}`, { headers: { Accept: 'text/html' } });
    if (!answer.ok || answer.redirected) throw new Error(`The log could not be read: ${answer.status}`);
    return parsed(await answer.text());
  }
  const loadEarlier = async () => prepend(await load(`before=${firstPlace()}`));
  let catchingUp = false;
  async function catchUp() {
    if (catchingUp) return;
    catchingUp = true;
    try {
      for (let hasLater = true; hasLater;) {
        const ol = await load(`after=${lastPlace() ?? '0.0.0'}`);
        append(ol);
        hasLater = ol.dataset.hasLater === 'true';
      }
    } finally {
      catchingUp = false;
    }
  }

  document.addEventListener('log', (event) => {
    if (!isAtEnd()) return;
    const { after, html } = JSON.parse(event.detail.data);
    if (compare(after, lastPlace()) > 0) void catchUp();
    else append(parsed(html));
  });

  // --- Following
  let isFollowing = false;
  function setFollowing(on) {
    isFollowing = on;
    follow.setAttribute('aria-pressed', String(on));
    if (on) scrollToEnd();
  }
  // Lines may take their height a moment later.
  new ResizeObserver(() => isFollowing && scrollToEnd()).observe(list);
  const scrollToEnd = () => (box.scrollTop = box.scrollHeight);
  const isAtBottom = () => box.scrollHeight - box.scrollTop - box.clientHeight < 30;
  // Scrolling up is for reading; scrolling to the end, for following.
  let lastTop = 0;
  box.addEventListener('scroll', () => {
    const isUp = box.scrollTop < lastTop;
    lastTop = box.scrollTop;
    if (isUp && !isAtBottom() && isFollowing) setFollowing(false);
  });
  follow.addEventListener('click', () => {
    if (!isFollowing && !isAtEnd()) location.assign(one('later').querySelector('a').href);
    else setFollowing(!isFollowing);
  });

  // --- Searching
  let hits = [];
  let current = -1;
  const isSupported = 'highlights' in CSS;
  function rangesOf(line, phrase) {
    const ranges = [];
    const walker = document.createTreeWalker(line.querySelector('.text'), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.data.toLowerCase();
      for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + phrase.length)) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + phrase.length);
        ranges.push(range);
      }
    }
    return ranges;
  }
  function find() {
    const phrase = input.value.trim().toLowerCase();
    const before = hits[current];
    for (const hit of hits) hit.classList.remove('hit', 'current');
    hits = phrase
      ? [...lines()].filter((line) => line.querySelector('.text').textContent.toLowerCase().includes(phrase))
      : [];
    for (const hit of hits) hit.classList.add('hit');
    current = hits.indexOf(before);
    hits[current]?.classList.add('current');
    if (isSupported) CSS.highlights.set('log-search', new Highlight(...hits.flatMap((hit) => rangesOf(hit, phrase))));
    say();
  }
  function say() {
    const isPart = !one('earlier').hidden || !isAtEnd();
    const where = isPart ? ' in the lines shown' : '';
    if (!input.value.trim()) count.textContent = '';
    else if (hits.length === 0) count.textContent = `No line${where}`;
    else
      count.textContent =
        current < 0 ? `${hits.length} lines${where}` : `${current + 1} of ${hits.length} lines${where}`;
  }
  function step(by) {
    if (hits.length === 0) return;
    hits[current]?.classList.remove('current');
    current = current < 0 ? (by > 0 ? 0 : hits.length - 1) : (current + by + hits.length) % hits.length;
    const hit = hits[current];
    hit.classList.add('current');
    setFollowing(false);
    hit.scrollIntoView({ block: 'center' });
    // The address leads to the line: it can be given to others.
    history.replaceState(null, '', `#${hit.id}`);
    say();
  }
  const searchAgain = () => input.value.trim() && find();
  let isLoadingAll = false;
  async function searchAll() {
    find();
    if (isLoadingAll || !input.value.trim()) return;
    isLoadingAll = true;
    try {
      while (!one('earlier').hidden && lines().length < SEARCHED_LINES) await loadEarlier();
    } finally {
      isLoadingAll = false;
    }
    find();
  }
  let typing;
  input.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(() => void searchAll(), 200);
  });
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    step(event.shiftKey ? -1 : 1);
  });
  search.addEventListener('submit', (event) => event.preventDefault());
  for (const button of section.querySelectorAll('[data-log-step]'))
    button.addEventListener('click', () => step(Number(button.dataset.logStep)));

  // --- What is around, in place
  one('earlier').addEventListener('click', (event) => {
    event.preventDefault();
    void loadEarlier();
  });

  // --- A link to a line
  function showLine() {
    const id = decodeURIComponent(location.hash.slice(1));
    const place = /^L(\d+)$/.test(id) ? `1.1.${id.slice(1)}` : /^L(\d+\.\d+\.\d+)$/.exec(id)?.[1];
    if (!place) return false;
    const line = document.getElementById(id);
    if (line) {
      setFollowing(false);
      line.scrollIntoView({ block: 'center' });
      return true;
    }
    // Not in the part that is shown: the server shows the part around it.
    if (new URLSearchParams(location.search).get('line') === place) return false;
    location.replace(`${location.pathname}?line=${place}#${id}`);
    return true;
  }
  addEventListener('hashchange', showLine);

  localise(list);
  search.hidden = false;
  const isOpen = section.dataset.over === 'false';
  follow.hidden = !isOpen;
  if (!showLine() && isAtEnd()) {
    if (isOpen) setFollowing(true);
    else if (!one('earlier').hidden) scrollToEnd();
  }
})();
