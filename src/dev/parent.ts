const LOOK_EVERY_MS = 500;

/**
 * Calls back when the process that started us is gone: a SIGKILLed `npm start` must not leave the stack running. Only
 * under npm (or `npm run dev`, which keeps a channel open); started by hand, people may want it to live on.
 */
export function onParentGone(callback: () => void): void {
  if (process.channel) {
    process.once('disconnect', callback);
    return;
  }
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, LOOK_EVERY_MS);
  timer.unref();
}
