import { startWorkflowEnvironment, type WorkflowEnvironment } from './environment.js';

let started: Promise<WorkflowEnvironment> | undefined;

/** The one environment of all workflow tests; it is closed after the last of them. */
export function sharedEnvironment(): Promise<WorkflowEnvironment> {
  return (started ??= startWorkflowEnvironment());
}

// Outside of any describe: after every test of every file.
after(async () => {
  await (await started)?.close();
});
