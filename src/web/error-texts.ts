import type { ErrorCode } from '../domain/run.js';

/** What an error code means and what to do about it, in a person's words. */
export const ERROR_TEXTS: Record<ErrorCode, { meaning: string; remedy: string }> = {
  COMMAND_NOT_FOUND: {
    meaning: 'The command could not be started.',
    remedy:
      'Check that the program is installed on the workers of this pool, that its path and working folder are right, and that it may be executed. Then trigger the run again.',
  },
  TEST_TIMEOUT: {
    meaning: 'The test took longer than its timeout and was ended with all its processes.',
    remedy: 'See at the end of the log where it hung. If it needs the time, raise the test’s time limit.',
  },
  LIMIT_EXCEEDED: {
    meaning: 'The test used more than its limits allow and was ended with all its processes.',
    remedy: 'Make it use less, or raise its limits, as far as the workers allow.',
  },
  SOURCE_FAILED: {
    meaning: 'The test’s files could not be fetched from its repository, so it was not started.',
    remedy:
      'See in the log what Git said. Check the address, the branch and the folder, and that the workers may read the repository: credentials are secret variables of the project.',
  },
  SETUP_FAILED: {
    meaning: 'The setup command did not succeed, so the test was not started.',
    remedy: 'See its part of the log. Run it by hand on a worker’s machine, mend it, then trigger the run again.',
  },
  FOLDER_NOT_ALLOWED: {
    meaning: 'The test’s working folder (cwd) is not one that the worker allows, so nothing was started.',
    remedy:
      'Take the test’s files from a repository (git), or ask whoever runs the workers of this pool to add the folder to RUNHOOK_TEST_FOLDERS.',
  },
  VARIABLE_MISSING: {
    meaning: 'The test names a variable that it was not given.',
    remedy: 'Set it in the project’s variables or in the profile, or correct its name in the test.',
  },
  BROWSER_MISSING: {
    meaning: 'The worker has no browser that can run this test.',
    remedy: 'Install Chromium on the workers of this pool (apt-get install chromium), or name it by RUNHOOK_CHROMIUM.',
  },
  NETWORK_REFUSED: {
    meaning:
      'The test asked for an address that tests may not reach from this worker, such as one of its local network.',
    remedy:
      'Test an address on the internet. Whoever runs the worker can allow others: RUNHOOK_PRIVATE_NETWORKS, RUNHOOK_ALLOWED_NETWORKS.',
  },
  SUITE_TIMEOUT: {
    meaning: 'The suite was not done within its timeout: its tests in flight were stopped, the others never started.',
    remedy: 'Raise how many of its tests run at the same time, or its time limit, or make the slowest tests faster.',
  },
  SUITE_EMPTY: {
    meaning: 'The suite has no tests, so there was nothing to run.',
    remedy: 'Add tests to the suite, then run it again.',
  },
  TEST_MISSING: {
    meaning:
      'The suite names a test that its project does not have, or that was archived before the suite was triggered.',
    remedy: 'Remove the test from the suite, or restore it. Then run the suite again.',
  },
  KILLED: {
    meaning: 'The test’s process was ended by a signal that did not come from Runhook.',
    remedy:
      'Often the machine ran out of memory: look at the kernel log of the worker’s machine, and give the worker more memory or fewer slots.',
  },
  NO_RUNNER: {
    meaning: 'No worker served this test’s runner pool for longer than the limit.',
    remedy:
      'Start a worker with this pool among its RUNHOOK_POOLS, or correct the pool of the test. Then trigger the run again.',
  },
  POOL_CLOSED: {
    meaning: 'This project cannot use the test’s runner pool any more, so the test was not started.',
    remedy:
      'Choose another pool for the test, or ask an admin to give the project this one. Then trigger the run again.',
  },
  WORKER_LOST: {
    meaning: 'No worker could finish this test, although it was handed out again.',
    remedy: 'Look at the workers’ logs and at the failure in Temporal; then trigger the run again.',
  },
  NOT_STARTED: {
    meaning: 'The workflow engine (Temporal) could not start this run before its deadline.',
    remedy: 'Check that Temporal is up (/readyz names it); then trigger the run again.',
  },
  WORKFLOW_LOST: {
    meaning: 'The workflow engine (Temporal) does not know this run any more.',
    remedy: 'Temporal’s data may have been removed or restored. Trigger the run again.',
  },
  SECRETS_UNREADABLE: {
    meaning: 'A variable of this run could not be read, so its test was not started.',
    remedy:
      'Give the workers every key that secrets were encrypted with (RUNHOOK_SECRET_KEYS), or set the variable again. Then trigger the run again.',
  },
  VARIABLE_SET_MISSING: {
    meaning: 'The variable set that this run uses has been removed, so its test was not started.',
    remedy: 'Trigger the run again with another variable set, or without one.',
  },
  INTERNAL: {
    meaning: 'Something went wrong inside Runhook, not in the test.',
    remedy: 'Trigger the run again. If it comes back, look for the run’s id in Temporal and in the workers’ logs.',
  },
};
