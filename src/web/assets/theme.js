// The theme that the reader has chosen, else the system's. Loaded before anything is drawn, so that nothing flashes.
(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    const chosen = localStorage.getItem('theme');
    document.documentElement.dataset.bsTheme = chosen ?? (dark.matches ? 'dark' : 'light');
  };
  apply();
  dark.addEventListener('change', apply);
  addEventListener('storage', apply);
  addEventListener('runhook:theme', apply);
})();
