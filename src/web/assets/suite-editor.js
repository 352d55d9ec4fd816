// The tests of a suite, ordered by mouse and by keyboard. The form sends the field with their ids.
// suite-picker.js finds more of them: `suite:add` on the editor.
(() => {
  const editor = document.querySelector('[data-suite-editor]');
  if (!editor) return;
  const list = editor.querySelector('ol');
  const field = editor.querySelector('textarea');
  const part = (name) => editor.querySelector(`[data-${name}]`);
  const search = editor.querySelector('input[type=search]');
  const MOST = 10_000;

  // The field is filled by us; what is wrong with it stays to be seen.
  for (const one of field.parentElement.querySelectorAll('label, textarea, .form-text')) one.hidden = true;
  field.required = false;

  const announce = (text) => (part('announce').textContent = text);
  const nameOf = (row) => row.querySelector('span').textContent;
  const placeOf = (row) => Array.prototype.indexOf.call(list.children, row) + 1;
  const count = (number) => `${number.toLocaleString('en')} ${number === 1 ? 'test' : 'tests'}`;

  // Of thousands of rows only those in sight, and a few beside them, have buttons and their number.
  const inSight = new Set();
  const sight = new IntersectionObserver(
    (seen) => {
      for (const { target: row, isIntersecting } of seen) {
        if (isIntersecting) inSight.add(row);
        else inSight.delete(row);
        if (isIntersecting && !row.querySelector('button')) equip(row);
      }
      number();
    },
    { root: list, rootMargin: '1000px' },
  );
  function number() {
    Array.from(list.children).forEach((row, index) => {
      if (inSight.has(row)) row.querySelector('span').dataset.place = `${index + 1}. `;
    });
  }

  function changed() {
    field.value = Array.from(list.children, (row) => row.dataset.id).join('\n');
    number();
    part('count').textContent = `(${list.children.length.toLocaleString('en')})`;
    part('none').hidden = list.children.length > 0;
  }

  function button(act, text, label) {
    const made = document.createElement('button');
    made.type = 'button';
    made.className = 'btn btn-sm btn-outline-secondary';
    made.dataset.act = act;
    made.textContent = text;
    made.ariaLabel = label;
    return made;
  }

  function equip(row) {
    const name = nameOf(row);
    const handle = button('drag', '⠿', `Move ${name}: drag it, or use the arrow keys`);
    handle.classList.add('handle');
    row.prepend(handle);
    row.append(button('up', '↑', `Move ${name} up`), button('down', '↓', `Move ${name} down`));
    row.append(button('remove', '×', `Remove ${name}`));
  }

  function rowOf({ id, name }) {
    const row = document.createElement('li');
    row.dataset.id = id;
    row.append(Object.assign(document.createElement('span'), { textContent: name }));
    sight.observe(row);
    return row;
  }

  editor.addEventListener('suite:add', ({ detail: tests }) => {
    const room = Math.max(0, MOST - list.children.length);
    list.append(...tests.slice(0, room).map(rowOf));
    list.scrollTop = list.scrollHeight;
    changed();
    const what = tests.length === 1 ? tests[0].name : count(Math.min(tests.length, room));
    announce(room < tests.length ? `Added ${what}; a suite takes 10,000 at most.` : `Added ${what} at the end.`);
  });

  const MOVES = {
    up: (row) => row.previousElementSibling?.before(row),
    down: (row) => row.nextElementSibling?.after(row),
    first: (row) => list.prepend(row),
    last: (row) => list.append(row),
  };
  function move(row, where, focused) {
    const before = placeOf(row);
    MOVES[where](row);
    focused.focus();
    row.scrollIntoView({ block: 'nearest' });
    const place = placeOf(row);
    if (place !== before) changed();
    announce(`${nameOf(row)}: ${place} of ${list.children.length}.`);
  }

  function remove(row) {
    const next = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    sight.unobserve(row);
    inSight.delete(row);
    changed();
    announce(`${nameOf(row)} removed.`);
    (next?.querySelector('[data-act=remove]') ?? search).focus();
  }

  list.addEventListener('click', ({ target }) => {
    const pressed = target.closest('button');
    if (!pressed || pressed.dataset.act === 'drag') return;
    const row = pressed.closest('li');
    if (pressed.dataset.act === 'remove') remove(row);
    else move(row, pressed.dataset.act, pressed);
  });
  const KEYS = { ArrowUp: 'up', ArrowDown: 'down', Home: 'first', End: 'last' };
  list.addEventListener('keydown', (event) => {
    const handle = event.target.closest('[data-act=drag]');
    if (!handle || !KEYS[event.key]) return;
    event.preventDefault();
    move(handle.closest('li'), KEYS[event.key], handle);
  });

  const names = JSON.parse(list.dataset.names);
  const ids = field.value.split('\n').filter(Boolean);
  list.append(...ids.map((id, index) => rowOf({ id, name: names[index] })));
  changed();
  globalThis.Sortable.create(list, {
    handle: '.handle',
    animation: 0,
    onEnd({ item }) {
      changed();
      announce(`${nameOf(item)}: ${placeOf(item)} of ${list.children.length}.`);
    },
  });
})();
