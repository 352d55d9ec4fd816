import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import workerThreads from 'node:worker_threads';
import { expect } from 'chai';
import { disablePromiseStacks } from '#src/temporal/workflow-threads.js';

/** How the SDK's thread uses promise hooks, and what workflow code needs of Node's own. */
const THREAD = `
const v8 = require('node:v8');
const { AsyncLocalStorage } = require('node:async_hooks');
const { parentPort } = require('node:worker_threads');
let hooked = true;
try { v8.promiseHooks.createHook({ init() {}, settled() {} }); } catch { hooked = false; }
const storage = new AsyncLocalStorage();
storage.run('scope', async () => {
  await null;
  parentPort.postMessage({ hooked, scope: storage.getStore() });
});
`;

describe('workflow threads', () => {
  const { Worker } = workerThreads;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'runhook-threads-'));
    disablePromiseStacks();
  });
  after(async () => {
    workerThreads.Worker = Worker;
    await rm(folder, { recursive: true });
  });

  async function answerOf(fileName: string): Promise<unknown> {
    const file = join(folder, fileName);
    await writeFile(file, THREAD);
    const thread = new workerThreads.Worker(file);
    const [message] = (await once(thread, 'message')) as [unknown];
    await thread.terminate();
    return message;
  }

  it('record no stack traces of promises, and keep their cancellation scopes', async () => {
    expect(await answerOf('workflow-worker-thread.js')).to.deep.equal({ hooked: false, scope: 'scope' });
  });

  it('are the only threads changed', async () => {
    expect(await answerOf('other-thread.js')).to.deep.equal({ hooked: true, scope: 'scope' });
  });
});
