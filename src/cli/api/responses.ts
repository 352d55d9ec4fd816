import type { ListAnswer } from '#src/server/api/paging.js';
import type { showMe } from '#src/server/routes/api/me.js';
import type { ImportAnswer } from '#src/server/routes/api/projects/import.js';
import type { showArtifact } from '#src/server/routes/api/runs/artifacts.js';
import type { showCase } from '#src/server/routes/api/runs/cases.js';
import type { showStatus } from '#src/server/routes/api/runs/kinds.js';
import type { showLogPage } from '#src/server/routes/api/runs/logs.js';
import type { showSuiteRun } from '#src/server/routes/api/runs/run-details.js';
import type { showListed, showListedTest } from '#src/server/routes/api/runs/run-shape.js';
import type { showSchedule } from '#src/server/routes/api/targets/schedule-shape.js';
import type { showProject, showSuite, showTest } from '#src/server/routes/api/targets/target-shapes.js';
import type { showApiToken, showNewApiToken } from '#src/server/routes/api/tokens/api-tokens.js';
import type { showWebhookToken } from '#src/server/routes/api/tokens/webhook-tokens.js';
import type { showVariableSet } from '#src/server/routes/api/variables/variable-set-shape.js';

/*
 * Types of API responses, derived from the functions that create them: a field that the server renames does not compile
 * here. Servers of other versions may lack fields: newer ones are read with a fallback.
 */

export type Page<T> = ListAnswer<T>;

export type Me = ReturnType<typeof showMe>;
export type ProjectView = ReturnType<typeof showProject>;
export type TargetView = ReturnType<typeof showTest | typeof showSuite>;
export type ScheduleView = ReturnType<typeof showSchedule>;
export type VariableSetView = ReturnType<typeof showVariableSet>;
export type { ImportAnswer };

/** A run in a list. */
export type ListedRunView = ReturnType<typeof showListed>;
/** The fields of a test run, alone or in a list. */
export type TestRunView = ReturnType<typeof showListedTest>;
/** A suite run with its counts and its first 1,000 test runs. */
export type SuiteRunView = ReturnType<typeof showSuiteRun>;
export type RunView = TestRunView | SuiteRunView;
export type RunStatusView = ReturnType<typeof showStatus>;
export type ArtifactView = ReturnType<typeof showArtifact>;
export type CaseView = ReturnType<typeof showCase>;
export type LogPage = ReturnType<typeof showLogPage>;

export type WebhookTokenView = ReturnType<typeof showWebhookToken>;
export type ApiTokenView = ReturnType<typeof showApiToken>;
/** Contains the token itself only in the first response. */
export type NewApiTokenView = ReturnType<typeof showNewApiToken>;
