import type { InstallationStore } from '#src/db/instance/installation-store.js';
import { isSameTemporal, type Installation, type TemporalIdentity } from '#src/domain/installation.js';
import type { Logger } from '#src/lib/logger.js';
import type { InstallationTemporal, Temporal } from '#src/temporal/connect.js';
import { WrongTemporalError } from '#src/temporal/identity.js';

/** How long a successful check of both stores stays valid, in ms. */
const VALID_MS = 10_000;

export interface TemporalBindingDeps {
  temporal: Temporal;
  /** Reads Temporal's cluster and namespace IDs. */
  identify(): Promise<TemporalIdentity>;
  store: Pick<InstallationStore, 'bind' | 'rebind'>;
  /** Rebinds the database to any Temporal: for stacks that own both stores. */
  rebinds: boolean;
  log: Pick<Logger, 'warn'>;
}

export type TemporalBinding = ReturnType<typeof createTemporalBinding>;

/** All access to Temporal goes through here, so that only the bound Temporal is ever used. */
export function createTemporalBinding(deps: TemporalBindingDeps) {
  let checked: { temporal: InstallationTemporal; at: number } | undefined;
  /** The last successful check of both stores. */
  let known: { identity: TemporalIdentity; installation: Installation } | undefined;
  let checking: Promise<InstallationTemporal> | undefined;

  async function check(): Promise<InstallationTemporal> {
    const identity = await deps.identify();
    known = { identity, installation: await installationOf(identity) };
    const { id, hasLegacyNames } = known.installation;
    const temporal = { ...deps.temporal, installationId: id, hasLegacyNames };
    checked = { temporal, at: performance.now() };
    return temporal;
  }

  /** While the database is unavailable, the last known binding stays valid for the same Temporal. */
  async function installationOf(identity: TemporalIdentity): Promise<Installation> {
    try {
      return await bind(deps, identity);
    } catch (error) {
      if (error instanceof WrongTemporalError || !known || !isSameTemporal(known.identity, identity)) throw error;
      return known.installation;
    }
  }

  const use = async () => {
    if (checked && performance.now() - checked.at < VALID_MS) return checked.temporal;
    checking ??= check().finally(() => (checking = undefined));
    return checking;
  };
  const recheck = () => void (checked = undefined);

  return {
    /**
     * Returns Temporal with the names of this installation. The first use binds an unbound database to it.
     * @throws WrongTemporalError when the database is bound to another one
     * @throws when Temporal does not respond, or the database before its first response
     */
    use,
    /** Makes the next use check both stores: after an outage of Temporal, the address may lead to another one. */
    recheck,
    /** `use` after `recheck`: for decisions that would do damage with the wrong Temporal. */
    useChecked() {
      recheck();
      return use();
    },
  };
}

async function bind({ store, rebinds, log }: TemporalBindingDeps, identity: TemporalIdentity): Promise<Installation> {
  const installation = await store.bind(identity);
  if (isSameTemporal(installation.temporal!, identity)) return installation;
  if (!rebinds) throw new WrongTemporalError(wrongTemporal(installation.temporal!, identity));
  await store.rebind(identity);
  log.warn({ from: installation.temporal, to: identity }, 'database bound to a different Temporal');
  return installation;
}

function wrongTemporal(bound: TemporalIdentity, found: TemporalIdentity): string {
  return `The database is bound to a different Temporal: ${describe(bound)}, not ${describe(found)}. No runs are started, reconciled or scheduled. Correct TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE, or bind the database to this Temporal: runhook setup --rebind-temporal`;
}

function describe({ namespace, namespaceId, clusterId }: TemporalIdentity): string {
  return `namespace "${namespace}" (${namespaceId})${clusterId ? ` of cluster ${clusterId}` : ''}`;
}
