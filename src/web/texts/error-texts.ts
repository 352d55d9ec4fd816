import type { ErrorCode } from '#src/domain/runs/run.js';

/** What an error code means and what to do about it, in a person's words. */
export const ERROR_TEXTS: Record<ErrorCode, { meaning: string; remedy: string }> = {
  COMMAND_NOT_FOUND: {
    meaning: 'The command could not be started.',
    remedy:
      'Check that the program is installed on the workers of this pool, that its path and working folder are correct, and that it is executable. Then run it again.',
  },
  TEST_TIMEOUT: {
    meaning: 'The test exceeded its timeout. All its processes were terminated.',
    remedy: 'Check the end of the log to see where it stopped. If the test needs more time, increase its timeout.',
  },
  LIMIT_EXCEEDED: {
    meaning: 'The test exceeded one of its resource limits. All its processes were terminated.',
    remedy: 'Reduce what the test uses, or increase its limits up to the maximum of the workers.',
  },
  SOURCE_FAILED: {
    meaning: 'The test’s files could not be fetched from its repository, so it was not started.',
    remedy:
      'See the Git output in the log. Check the URL, branch and folder, and that the workers can read the repository. Store its credentials as secret variables of the project.',
  },
  SETUP_FAILED: {
    meaning: 'The setup command failed, so the test was not started.',
    remedy: 'See its output in the log. Run the command on a worker’s machine, fix it, then run the test again.',
  },
  FOLDER_NOT_ALLOWED: {
    meaning: 'The worker does not allow the test’s working folder (cwd), so the test was not started.',
    remedy:
      'Use files from a Git repository (git), or ask the operator of the pool’s workers to add the folder to RUNHOOK_TEST_FOLDERS.',
  },
  VARIABLE_MISSING: {
    meaning: 'The test uses a variable that is not set.',
    remedy: 'Set the variable in a variable set of the project, or correct its name in the test.',
  },
  BROWSER_MISSING: {
    meaning: 'The worker has no browser that can run this test.',
    remedy:
      'Install Chromium on the workers of this pool (apt-get install chromium), or set RUNHOOK_CHROMIUM to its path.',
  },
  NETWORK_REFUSED: {
    meaning: 'The test requested an address that the worker blocks, such as one in its local network.',
    remedy:
      'Use a public address, or ask the operator of the worker to allow this one with RUNHOOK_PRIVATE_NETWORKS or RUNHOOK_ALLOWED_NETWORKS.',
  },
  SUITE_TIMEOUT: {
    meaning: 'The suite exceeded its timeout. Its running tests were stopped; the remaining tests were not started.',
    remedy: 'Increase its concurrency or its timeout, or speed up its slowest tests.',
  },
  SUITE_EMPTY: {
    meaning: 'The suite has no tests, so there was nothing to run.',
    remedy: 'Add tests to the suite, then run it again.',
  },
  TEST_MISSING: {
    meaning: 'The suite contains a test that does not exist or was archived before the suite was triggered.',
    remedy: 'Remove the test from the suite, or restore it. Then run the suite again.',
  },
  KILLED: {
    meaning: 'The test’s process was terminated by a signal that Runhook did not send.',
    remedy:
      'The machine may have run out of memory. Check the kernel log of the worker’s machine, then give the worker more memory or fewer slots.',
  },
  NO_RUNNER: {
    meaning: 'No worker served the test’s pool within the time limit.',
    remedy: 'Start a worker with this pool in RUNHOOK_POOLS, or change the pool of the test. Then run it again.',
  },
  POOL_CLOSED: {
    meaning: 'The project no longer has access to the test’s pool, so the test was not started.',
    remedy: 'Choose another pool for the test, or ask an admin for access to this pool. Then run it again.',
  },
  WORKER_LOST: {
    meaning: 'The workers executing this test were lost, and it could not be retried.',
    remedy: 'Check the workers’ logs and the failure in Temporal, then run it again.',
  },
  NOT_STARTED: {
    meaning: 'The workflow engine (Temporal) could not start this run before its deadline.',
    remedy: 'Check that Temporal is available (see /readyz), then run it again.',
  },
  WORKFLOW_LOST: {
    meaning: 'The workflow engine (Temporal) no longer has this run.',
    remedy: 'Temporal’s data may have been deleted or restored from a backup. Run it again.',
  },
  SECRETS_UNREADABLE: {
    meaning: 'A variable of this run could not be decrypted, so the test was not started.',
    remedy:
      'Configure every encryption key on the workers (RUNHOOK_SECRET_KEYS), or set the variable again. Then run it again.',
  },
  VARIABLE_SET_MISSING: {
    meaning: 'The variable set of this run was deleted, so the test was not started.',
    remedy: 'Run it again with another variable set, or without one.',
  },
  INTERNAL: {
    meaning: 'An internal error occurred in Runhook, not in the test.',
    remedy: 'Run it again. If the error persists, search for the run’s ID in Temporal and in the workers’ logs.',
  },
};
