/** What a run gets as environment beside its test's own: of its project's default variable set, of a chosen one, its own. */

export interface Variable {
  key: string;
  /** Secret ones are sealed on record, masked in logs and shown to nobody. */
  isSecret: boolean;
  /** Of a plain one. */
  value?: string;
  /** Of a secret one: what domain/secret-box made of it. */
  sealed?: string;
}

/** A variable as a caller gives it. */
export interface GivenVariable {
  key: string;
  /** Absent: a secret one stays as it is on record. */
  value?: string | null;
  isSecret?: boolean;
}

/** A named set of variables of a project. */
export interface VariableSet {
  _id: string;
  projectId: string;
  /** Unique in the project. */
  name: string;
  /** Counts for every run of the project; at most one does. */
  isDefault: boolean;
  variables: Variable[];
  /** From 1, up by one with every change. */
  revision: number;
  modifiedAt: Date;
  /** See domain/idempotent-creation. */
  creation?: string;
}

export const MAX_VARIABLES = 200;
export const MAX_VALUE_BYTES = 32 * 1024;

/** Names of environment variables, but none of ours. */
export const VARIABLE_KEY = /^(?!RUNHOOK_)[A-Za-z_][A-Za-z0-9_]{0,127}$/;
