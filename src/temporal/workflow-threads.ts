import workerThreads, { type WorkerOptions } from 'node:worker_threads';

/*
 * The SDK notes a stack trace of every promise that a workflow makes, for the UI's "Call stack" tab, and has no option
 * against it (sdk-typescript issue 1587). It does without where Node has no promise hooks. See
 * docs/decisions/workers/workflow-threads.md for what that saves.
 */
const WITHOUT_PROMISE_HOOKS = `
import v8 from 'node:v8';
const { createHook } = v8.promiseHooks;
v8.promiseHooks.createHook = (hooks) => {
  // Node's own, for AsyncLocalStorage, has more of them.
  if (hooks.before || hooks.after) return createHook(hooks);
  const { warn } = console;
  console.warn = () => void (console.warn = warn); // The SDK warns that hooks are missing, as intended.
  throw new Error('left out');
};
`;

/** The file that the SDK's threads for workflows run. */
const WORKFLOW_THREAD = /[\\/]workflow-worker-thread\.js$/;

/** From here on the SDK's threads for workflows do without stack traces of promises. To be called before a worker is made. */
export function leaveOutPromiseStacks(): void {
  const { Worker } = workerThreads;
  const hook = `--import=data:text/javascript,${encodeURIComponent(WITHOUT_PROMISE_HOOKS)}`;
  workerThreads.Worker = class extends Worker {
    constructor(file: string | URL, options: WorkerOptions = {}) {
      const isWorkflows = WORKFLOW_THREAD.test(String(file));
      super(file, isWorkflows ? { ...options, execArgv: [...(options.execArgv ?? process.execArgv), hook] } : options);
    }
  };
}
