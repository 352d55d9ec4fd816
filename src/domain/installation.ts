/** Identifies a Temporal independently of its address; both ids change when it has lost its data. */
export interface TemporalIdentity {
  namespaceId: string;
  /** Name of the namespace, for messages. */
  namespace: string;
  /** Absent if the service does not report it. */
  clusterId?: string;
}

/** One database with its servers and workers. */
export interface Installation {
  /** Part of all its names in Temporal; random lower-case letters and digits. */
  id: string;
  /** The database was used by versions without installation ids, whose workflows may still be open in Temporal. */
  hasLegacyNames: boolean;
  /** The Temporal of its runs; absent before the first use. */
  temporal?: TemporalIdentity;
}

/** Whether both identities are of the same namespace and cluster. */
export function isSameTemporal(one: TemporalIdentity, other: TemporalIdentity): boolean {
  const isSameCluster =
    one.clusterId === undefined || other.clusterId === undefined || one.clusterId === other.clusterId;
  return isSameCluster && one.namespaceId === other.namespaceId;
}
