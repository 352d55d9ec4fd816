import { expect } from 'chai';
import { checkDatabase } from '#src/services/doctor/check-database.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { startWireProxy, type Pose } from '#test/support/mongodb/mongodb-wire.js';

describe('check of the database', () => {
  async function checksOf(pose: Pose, query: string) {
    const { port, pathname } = new URL((await testDatabase()).url);
    const proxy = await startWireProxy(Number(port), pose);
    try {
      return await checkDatabase(`mongodb://127.0.0.1:${proxy.port}${pathname}${query}`, []);
    } finally {
      await proxy.close();
    }
  }

  it('reports the write concern', async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    const messageOf = async (pose: Pose) =>
      (await checksOf(pose, '')).find(({ name }) => name === 'MongoDB writes')!.message;
    expect(await messageOf('as it is')).to.contain('standalone');
    expect(await messageOf('replica set')).to.contain('majority');
  });

  it('fails for a rejected connection string, with a remedy', async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    const [check, ...others] = await checksOf('replica set', '?w=1');
    expect(others).to.deep.equal([]);
    expect(check).to.include({ level: 'fail', name: 'MongoDB writes' });
    expect(check!.message).to.contain('Remove w=1');
  });
});
