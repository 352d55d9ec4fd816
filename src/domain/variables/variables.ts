/* Variables of a run, from the project's default variable set, a chosen one, and the run's own; see also a test's `env`. */

export interface Variable {
  key: string;
  /** Secret values are encrypted, masked in logs and never shown. */
  isSecret: boolean;
  /** Absent if secret. */
  value?: string;
  /** The encrypted value, if secret. */
  sealed?: string;
}

/** A variable in a request. */
export interface GivenVariable {
  key: string;
  /** Absent: the stored secret value stays. */
  value?: string | null;
  isSecret?: boolean;
}

/** A named set of variables of a project. */
export interface VariableSet {
  _id: string;
  projectId: string;
  /** Unique in the project. */
  name: string;
  /** Applies to every run of the project; at most one is the default. */
  isDefault: boolean;
  variables: Variable[];
  /** From 1, incremented by every change. */
  revision: number;
  modifiedAt: Date;
  /** See idempotent-creation.ts. */
  creation?: string;
}

export const MAX_VARIABLES = 200;
export const MAX_VALUE_BYTES = 32 * 1024;

/** Names of environment variables, except Runhook's own. */
export const VARIABLE_KEY = /^(?!RUNHOOK_)[A-Za-z_][A-Za-z0-9_]{0,127}$/;
