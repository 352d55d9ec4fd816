import { rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

// Part of the build: bundles all workflow code in one file, so that a worker starts without a bundler.
const target = process.argv[2];
if (!target) throw new Error('Usage: bundle-workflows.js FILE');
const { code } = await bundleWorkflowCode({
  workflowsPath: fileURLToPath(new URL('../../workflows/index.js', import.meta.url)),
  logger: new DefaultLogger('WARN'),
});
await writeFile(`${target}.new`, code);
await rename(`${target}.new`, target);
