import type { MongoClient, TopologyDescription, WriteConcernSettings } from 'mongodb';

/** What the database is, as its servers report it in `hello`. */
export type Deployment = 'standalone' | 'replicated';

/**
 * Follows what a client's servers report: the driver publishes it before it sends the first operation, and again after
 * every change.
 * @param onChange called with each new answer
 * @returns the last answer; undefined until the first
 */
export function watchDeployment(
  client: MongoClient,
  onChange: (deployment: Deployment) => void = () => {},
): () => Deployment | undefined {
  let deployment: Deployment | undefined;
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    const found = deploymentOf(newDescription);
    if (!found || found === deployment) return;
    deployment = found;
    onChange(found);
  });
  return () => deployment;
}

/** Servers that are down report nothing, and do not count. */
function deploymentOf({ servers }: TopologyDescription): Deployment | undefined {
  const types = [...servers.values()].map(({ type }) => type);
  if (types.some((type) => type === 'Mongos' || type === 'LoadBalancer' || type.startsWith('RS'))) return 'replicated';
  return types.includes('Standalone') ? 'standalone' : undefined;
}

/**
 * What an acknowledged write has survived. On a standalone server `majority` does not wait for the journal, and a crash
 * then loses acknowledged writes (measured: one in five). Until the deployment is known, the stricter one.
 */
export function writeConcernFor(deployment: Deployment | undefined): WriteConcernSettings {
  return { w: deployment === 'standalone' ? 1 : 'majority', journal: true };
}
