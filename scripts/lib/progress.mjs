const SILENT_MS = 1500;
const LINE_EVERY_MS = 15_000;

/**
 * Shows that a long step goes on: a line that refreshes on a terminal, else one every 15 s. A step that ends within
 * 1.5 s shows nothing.
 * @template T
 * @param {string} what the step, for instance "Installing packages"
 * @param {() => Promise<T>} work
 * @param {NodeJS.WriteStream} out
 * @returns {Promise<T>}
 */
export async function withProgress(what, work, out = process.stderr) {
  const start = Date.now();
  let shown = 0;
  const timer = setInterval(
    () => {
      const ms = Date.now() - start;
      if (ms < SILENT_MS) return;
      if (out.isTTY) out.write(`\r\x1b[2K  ${what} … ${elapsed(ms)}`);
      else if (!shown || ms - shown >= LINE_EVERY_MS) out.write(`  ${what} … ${elapsed(ms)}\n`);
      else return;
      shown = ms;
    },
    out.isTTY ? 500 : 250,
  );
  try {
    const result = await work();
    finish('done');
    return result;
  } catch (error) {
    finish('failed');
    throw error;
  } finally {
    clearInterval(timer);
  }

  function finish(outcome) {
    if (shown)
      out.write(`${out.isTTY ? '\r\x1b[2K' : ''}  ${what} … ${outcome} after ${elapsed(Date.now() - start)}\n`);
  }
}

/** `75_000` → `1m15s` */
export function elapsed(ms) {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${String(seconds % 60).padStart(2, '0')}s`;
}
