/** Which Temporal it is, whatever its address: both ids are new once it has lost its data. */
export interface TemporalIdentity {
  /** Of the namespace. */
  namespaceId: string;
  /** The namespace's name, for people. */
  namespace: string;
  /** Absent where the service does not state it to its users. */
  clusterId?: string;
}

/** One database with its servers and workers. */
export interface Installation {
  /** Part of all its names in Temporal; random, in lower-case letters and digits. */
  id: string;
  /** Versions without installation ids have used the database, and some of what they started may be left in Temporal. */
  hasLegacyNames: boolean;
  /** The Temporal that its runs are in; absent before the first use. */
  temporal?: TemporalIdentity;
}

/** Whether two identities are of the same namespace of the same cluster. */
export function isSameTemporal(one: TemporalIdentity, other: TemporalIdentity): boolean {
  const isSameCluster =
    one.clusterId === undefined || other.clusterId === undefined || one.clusterId === other.clusterId;
  return isSameCluster && one.namespaceId === other.namespaceId;
}
