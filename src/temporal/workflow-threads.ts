import workerThreads, { type WorkerOptions } from 'node:worker_threads';

/*
 * The SDK records a stack trace for every promise of a workflow, for the UI's "Call stack" tab, and has no option to
 * disable this (sdk-typescript issue 1587) except where Node has no promise hooks. See
 * docs/decisions/workers/workflow-threads.md for the savings.
 */
const WITHOUT_PROMISE_HOOKS = `
import v8 from 'node:v8';
const { createHook } = v8.promiseHooks;
v8.promiseHooks.createHook = (hooks) => {
  // Node's own hooks, for AsyncLocalStorage.
  if (hooks.before || hooks.after) return createHook(hooks);
  const { warn } = console;
  console.warn = () => void (console.warn = warn); // The SDK warns that hooks are missing, as intended.
  throw new Error('disabled');
};
`;

/** The entry file of the SDK's workflow threads. */
const WORKFLOW_THREAD = /[\\/]workflow-worker-thread\.js$/;

/** Disables stack traces of promises in the SDK's workflow threads. Call it before creating a worker. */
export function disablePromiseStacks(): void {
  const { Worker } = workerThreads;
  const hook = `--import=data:text/javascript,${encodeURIComponent(WITHOUT_PROMISE_HOOKS)}`;
  workerThreads.Worker = class extends Worker {
    constructor(file: string | URL, options: WorkerOptions = {}) {
      const isWorkflows = WORKFLOW_THREAD.test(String(file));
      super(file, isWorkflows ? { ...options, execArgv: [...(options.execArgv ?? process.execArgv), hook] } : options);
    }
  };
}
