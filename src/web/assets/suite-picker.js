// Finds tests of the project by name, for the suite that is edited (suite-editor.js).
(() => {
  const editor = document.querySelector('[data-suite-editor]');
  if (!editor) return;
  const MOST = 10_000;
  const SHOWN = 20;
  const part = (name) => editor.querySelector(`[data-${name}]`);
  const search = editor.querySelector('input[type=search]');
  const count = (number) => `${number.toLocaleString('en')} ${number === 1 ? 'test' : 'tests'}`;
  const add = (tests) => editor.dispatchEvent(new CustomEvent('suite:add', { detail: tests }));
  editor.querySelector('.suite-picker').hidden = false;

  async function page(query, signal) {
    const answer = await fetch(`${editor.dataset.suiteEditor}?${new URLSearchParams(query)}`, { signal });
    if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
    return answer.json();
  }
  const query = () => (search.value.trim() === '' ? {} : { search: search.value.trim() });

  let asked;
  async function find() {
    asked?.abort();
    asked = new AbortController();
    try {
      const found = await page({ limit: SHOWN, ...query() }, asked.signal);
      part('results').replaceChildren(...found.results.map(resultOf));
      const most = found.count >= MOST ? '10,000 tests or more' : count(found.count);
      part('found').textContent = found.count > SHOWN ? `${most}; the first ${SHOWN} are:` : most;
      part('add-all').hidden = found.count < 2;
      part('add-all').textContent = `Add all ${found.count.toLocaleString('en')}`;
    } catch (error) {
      if (error.name === 'AbortError') return;
      part('found').textContent = `Tests could not be found: ${error.message} Try again.`;
    }
  }

  function resultOf({ id, name }) {
    const result = document.createElement('li');
    const adding = document.createElement('button');
    adding.type = 'button';
    adding.className = 'btn btn-sm btn-outline-secondary';
    adding.textContent = 'Add';
    adding.ariaLabel = `Add ${name}`;
    adding.addEventListener('click', () => add([{ id, name }]));
    result.append(Object.assign(document.createElement('span'), { textContent: name }), adding);
    return result;
  }

  part('add-all').addEventListener('click', async ({ currentTarget: pressed }) => {
    pressed.disabled = true;
    const all = [];
    try {
      let cursor;
      do {
        const { results, next } = await page({ limit: 500, ...query(), ...(cursor ? { cursor } : {}) });
        all.push(...results);
        cursor = next && new URL(next).searchParams.get('cursor');
      } while (cursor && all.length < MOST);
      add(all);
    } catch (error) {
      part('found').textContent = `Nothing was added: ${error.message} Try again.`;
    }
    pressed.disabled = false;
  });

  let typing;
  search.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(find, 200);
  });
  search.addEventListener('keydown', (event) => {
    // It must not send the form.
    if (event.key !== 'Enter') return;
    event.preventDefault();
    void find();
  });
  void find();
})();
