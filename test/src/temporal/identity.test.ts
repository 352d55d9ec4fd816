import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { closeConnection } from '#src/temporal/deadline.js';
import { identityOf } from '#src/temporal/identity.js';

describe('the identity of Temporal', () => {
  it('keeps a connection from closing until both of its calls have settled', async () => {
    let answer!: () => void;
    let isClosed = false;
    // One call fails immediately, the SDK retries the other; a real server does not do this on demand.
    const connection = {
      workflowService: {
        describeNamespace: () => Promise.reject(new Error('refused')),
        getClusterInfo: () => new Promise((resolve) => (answer = () => resolve({ clusterId: 'c' }))),
      },
      withDeadline: (_deadline: number, call: () => Promise<unknown>) => call(),
      close: () => Promise.resolve(void (isClosed = true)),
    };
    const temporal = { connection, namespace: 'default' } as unknown as Parameters<typeof identityOf>[0];
    expect(await identityOf(temporal).catch((error: Error) => error.message)).to.equal('refused');
    const closing = closeConnection(temporal.connection);
    await nextTurn();
    expect(isClosed).to.equal(false);
    answer();
    await closing;
    expect(isClosed).to.equal(true);
  });
});
