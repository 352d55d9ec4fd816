import { expect } from 'chai';
import type { Installation, TemporalIdentity } from '#src/domain/installation.js';
import { createTemporalBinding } from '#src/services/instance/temporal-binding.js';
import type { Temporal } from '#src/temporal/connect.js';
import { WrongTemporalError } from '#src/temporal/identity.js';

const HERE: TemporalIdentity = { namespaceId: 'n1', namespace: 'default', clusterId: 'c1' };
const THERE: TemporalIdentity = { namespaceId: 'n2', namespace: 'default', clusterId: 'c2' };

describe('binding of a database to a Temporal', () => {
  let installation: Installation;
  let found: TemporalIdentity;
  let isDown: boolean;
  let asked: number;
  beforeEach(() => {
    installation = { id: 'i1', hasLegacyNames: false };
    [found, isDown, asked] = [HERE, false, 0];
  });

  const binding = (rebinds = false) =>
    createTemporalBinding({
      temporal: { namespace: 'default' } as Temporal,
      async identify() {
        asked++;
        return found;
      },
      store: {
        async bind(temporal) {
          if (isDown) throw new Error('the database is down');
          installation.temporal ??= temporal;
          return { ...installation };
        },
        async rebind(temporal) {
          installation.temporal = temporal;
        },
      },
      rebinds,
      log: { warn: () => {} },
    });
  const refusal = (use: Promise<unknown>) => use.catch((error: unknown) => error as Error);

  it('is created at the first use, once for concurrent calls', async () => {
    const { use } = binding();
    const [one] = await Promise.all([use(), use(), use()]);
    expect(one).to.deep.include({ installationId: 'i1', namespace: 'default' });
    await use();
    expect(asked).to.equal(1);
    expect(installation.temporal).to.deep.equal(HERE);
  });

  it('rejects another Temporal with both names and the remedy, and accepts it after a rebind', async () => {
    installation.temporal = THERE;
    const { use } = binding();
    const error = await refusal(use());
    expect(error).to.be.instanceOf(WrongTemporalError);
    expect((error as Error).message)
      .to.include('c1')
      .and.include('c2')
      .and.include('runhook setup --rebind-temporal');
    installation.temporal = HERE;
    expect(await use()).to.include({ installationId: 'i1' });
  });

  it('is checked again after an outage: the address may lead to another Temporal', async () => {
    const { use, recheck } = binding();
    await use();
    found = THERE;
    recheck();
    expect(await refusal(use())).to.be.instanceOf(WrongTemporalError);
  });

  it('is changed to the current Temporal if configured', async () => {
    installation.temporal = THERE;
    await binding(true).use();
    expect(installation.temporal).to.deep.equal(HERE);
  });

  it('stays valid while the database is down, for the same Temporal only', async () => {
    const { use, useChecked } = binding();
    isDown = true;
    expect(((await refusal(use())) as Error).message).to.equal('the database is down');
    isDown = false;
    await use();
    isDown = true;
    expect(await useChecked()).to.include({ installationId: 'i1' });
    found = THERE;
    expect(((await refusal(useChecked())) as Error).message).to.equal('the database is down');
  });

  it('compares namespaces only where a service does not state its cluster', async () => {
    installation.temporal = { namespaceId: 'n1', namespace: 'default' };
    expect(await binding().use()).to.include({ installationId: 'i1' });
  });
});
