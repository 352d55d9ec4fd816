// Rows of a profile's form are added and taken out without asking the server, which does the same where no script runs.
(() => {
  const rows = document.querySelector('[data-rows]');
  const template = document.querySelector('template[data-row]');
  if (!rows || !template) return;

  // Never used twice: what was taken out leaves a gap, and the server does not mind.
  let next = rows.children.length;

  function add() {
    const holder = document.createElement('div');
    holder.innerHTML = template.innerHTML.replaceAll('INDEX', String(next++));
    const row = holder.firstElementChild;
    rows.append(row);
    row.querySelector('input[type=text]').focus();
  }

  function takeOut(row) {
    const neighbour = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    (neighbour?.querySelector('input[type=text]') ?? document.querySelector('[data-add-row]')).focus();
  }

  addEventListener('click', (event) => {
    const button = event.target instanceof Element && event.target.closest('[data-add-row], [data-remove-row]');
    if (!button) return;
    event.preventDefault();
    if (button.hasAttribute('data-add-row')) add();
    else takeOut(button.closest('li'));
  });
})();
