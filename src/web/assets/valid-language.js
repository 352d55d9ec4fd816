// uPlot formats numbers in the browser's language as soon as it loads, and throws where that is no valid tag (`en-US@posix`:
// Chromium on Linux with LANG=C). The default locale takes its place there.
(() => {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    const language = new Intl.NumberFormat().resolvedOptions().locale;
    Object.defineProperty(navigator, 'language', { value: language, configurable: true });
  }
})();
