import { startWorkflowEnvironment, type WorkflowEnvironment } from './environment.js';

let started: Promise<WorkflowEnvironment> | undefined;

/** The shared environment of all workflow tests, closed after the last of them. */
export function sharedEnvironment(): Promise<WorkflowEnvironment> {
  return (started ??= startWorkflowEnvironment());
}

// Outside of any describe, so that it runs after all files.
after(async () => {
  await (await started)?.close();
});
