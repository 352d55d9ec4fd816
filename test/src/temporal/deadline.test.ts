import { expect } from 'chai';
import { closeConnection } from '#src/temporal/deadline.js';
import { openTemporal } from '#src/temporal/connect.js';
import { isTemporalServing } from '#src/temporal/is-serving.js';

describe('a connection to Temporal', () => {
  it('is closed after its calls have settled, including retries', async () => {
    const before = process.env.TEMPORAL_ADDRESS;
    // No server listens: the call fails immediately, and the SDK retries it.
    process.env.TEMPORAL_ADDRESS = '127.0.0.1:9';
    const { connection, ...others } = openTemporal();
    if (before === undefined) delete process.env.TEMPORAL_ADDRESS;
    else process.env.TEMPORAL_ADDRESS = before;

    let isOver = false;
    const serving = isTemporalServing({ connection, ...others }).finally(() => (isOver = true));
    await closeConnection(connection);
    expect(isOver).to.equal(true);
    expect(await serving).to.equal(false);
  });
});
