// Numbers beside the lines of a text area: messages refer to lines by number.
(() => {
  for (const field of document.querySelectorAll('[data-line-numbers]')) {
    const text = field.querySelector('textarea');
    const box = document.createElement('div');
    const numbers = document.createElement('pre');
    box.className = 'with-numbers';
    numbers.className = 'numbers';
    numbers.setAttribute('aria-hidden', 'true');
    text.replaceWith(box);
    box.append(numbers, text);

    const count = () => {
      const lines = text.value.split('\n').length;
      numbers.textContent = Array.from({ length: lines }, (_, index) => index + 1).join('\n');
      follow();
    };
    const follow = () => (numbers.scrollTop = text.scrollTop);
    // The box is as high as the text, also when the reader pulls at its corner.
    new ResizeObserver(() => {
      numbers.style.maxHeight = `${text.offsetHeight}px`;
      follow();
    }).observe(text);
    text.addEventListener('input', count);
    text.addEventListener('scroll', follow);
    count();
  }
})();
