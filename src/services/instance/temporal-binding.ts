import type { InstallationStore } from '#src/db/instance/installation-store.js';
import { isSameTemporal, type Installation, type TemporalIdentity } from '#src/domain/installation.js';
import type { Logger } from '#src/lib/logger.js';
import type { InstallationTemporal, Temporal } from '#src/temporal/connect.js';
import { WrongTemporalError } from '#src/temporal/identity.js';

/** How long an answer of both stores holds, in ms. */
const HOLDS_MS = 10_000;

export interface TemporalBindingDeps {
  temporal: Temporal;
  /** Asks Temporal who it is. */
  identify(): Promise<TemporalIdentity>;
  store: Pick<InstallationStore, 'bind' | 'rebind'>;
  /** The database follows the Temporal that it finds: for stacks whose stores belong together. */
  follows: boolean;
  log: Pick<Logger, 'warn'>;
}

/** Every use of Temporal goes through here: never with a Temporal that the database is not bound to. */
export interface TemporalBinding {
  /**
   * Temporal with the names of this installation. The first use binds the database to it.
   * @throws WrongTemporalError when the database is bound to another one
   * @throws when Temporal does not answer, or the database before it has answered once
   */
  use(): Promise<InstallationTemporal>;
  /** Both stores are asked again at the next use: Temporal did not answer, and what answers next may be another one. */
  recheck(): void;
  /** `use` after `recheck`: for decisions that another Temporal would turn into damage. */
  useChecked(): Promise<InstallationTemporal>;
}

export function createTemporalBinding(deps: TemporalBindingDeps): TemporalBinding {
  let checked: { temporal: InstallationTemporal; at: number } | undefined;
  /** The last answer of both stores. */
  let known: { identity: TemporalIdentity; installation: Installation } | undefined;
  let checking: Promise<InstallationTemporal> | undefined;

  async function check(): Promise<InstallationTemporal> {
    const identity = await deps.identify();
    known = { identity, installation: await boundTo(identity) };
    const { id, hasLegacyNames } = known.installation;
    const temporal = { ...deps.temporal, installationId: id, hasLegacyNames };
    checked = { temporal, at: performance.now() };
    return temporal;
  }

  /** While the database does not answer, what was found before holds for the same Temporal. */
  async function boundTo(identity: TemporalIdentity): Promise<Installation> {
    try {
      return await bound(deps, identity);
    } catch (error) {
      if (error instanceof WrongTemporalError || !known || !isSameTemporal(known.identity, identity)) throw error;
      return known.installation;
    }
  }

  const use = async () => {
    if (checked && performance.now() - checked.at < HOLDS_MS) return checked.temporal;
    checking ??= check().finally(() => (checking = undefined));
    return checking;
  };
  const recheck = () => void (checked = undefined);

  return {
    use,
    recheck,
    useChecked() {
      recheck();
      return use();
    },
  };
}

async function bound({ store, follows, log }: TemporalBindingDeps, identity: TemporalIdentity): Promise<Installation> {
  const installation = await store.bind(identity);
  if (isSameTemporal(installation.temporal!, identity)) return installation;
  if (!follows) throw new WrongTemporalError(refusal(installation.temporal!, identity));
  await store.rebind(identity);
  log.warn({ from: installation.temporal, to: identity }, 'database bound to a different Temporal');
  return installation;
}

function refusal(bound: TemporalIdentity, found: TemporalIdentity): string {
  return `The database is bound to a different Temporal: ${named(bound)}, not ${named(found)}. No runs are started, reconciled or scheduled. Correct TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE, or bind the database to this Temporal: runhook setup --rebind-temporal`;
}

function named({ namespace, namespaceId, clusterId }: TemporalIdentity): string {
  return `namespace "${namespace}" (${namespaceId})${clusterId ? ` of cluster ${clusterId}` : ''}`;
}
