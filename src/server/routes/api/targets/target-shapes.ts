import Joi from 'joi';
import * as fields from '#src/domain/targets/definition-fields.js';
import { neededFields, optionalFields } from '#src/domain/targets/test-fields.js';
import { setup } from '#src/domain/targets/test-source.js';
import type { Project, ProjectItem, Suite, Test } from '#src/domain/records.js';
import { ROLES } from '#src/domain/people/rights.js';
import type { SeenProject } from '#src/services/projects/project-service.js';
import { apiError, moment, uuid } from '#src/server/api/shapes.js';

/* Projects, tests and suites in responses. */

export const revision = Joi.number()
  .integer()
  .min(1)
  .required()
  .description('Incremented by one with every change; also the ETag.');

export const projectShape = Joi.object({
  id: uuid.required(),
  name: Joi.string().required(),
  slug: Joi.string().required(),
  role: Joi.string()
    .valid(...ROLES, 'admin')
    .required()
    .description('Your role in the project.'),
  retentionDays: Joi.number().integer().allow(null).required().description('Null if the server’s default applies.'),
  revision,
  createdAt: moment.required(),
});

export function showProject({ project, role }: SeenProject) {
  const { _id, name, slug, retentionDays, revision, createdAt }: Project = project;
  return {
    id: _id,
    name,
    slug,
    role,
    retentionDays: retentionDays ?? null,
    revision,
    createdAt: createdAt.toISOString(),
  };
}

const targetFields = {
  id: uuid.required(),
  projectId: uuid.required(),
  name: Joi.string().required(),
  revision,
  archived: Joi.boolean().required(),
  modified: moment.required(),
};

export const testShape = Joi.object({
  ...targetFields,
  runner: fields.runner.required(),
  ...neededFields,
  ...optionalFields,
  cwd: Joi.string().description('Absent if `git` is set.'),
  setup,
  env: fields.env.required(),
  timeoutMs: Joi.number().integer().required().description('Timeout of one attempt.'),
  retries: fields.retries.required(),
  pool: fields.pool.required(),
});

export const suiteShape = Joi.object({
  ...targetFields,
  tests: Joi.array().items(uuid).required().description('Test IDs, in starting order.'),
  parallelism: fields.parallelism.required(),
  onFailure: fields.onFailure.required(),
  retryFailed: fields.retries.required(),
  timeoutMs: Joi.number().integer().allow(null).required().description('Timeout of the whole suite; null: none.'),
  overlap: fields.overlap.required(),
  priority: fields.priority.allow(null).required().description('Null if the trigger determines the priority.'),
});

/** A test in responses. */
export function showTest(test: Test) {
  return { ...showItem(test), ...test.definition };
}

/** A suite in responses. */
export function showSuite(suite: Suite) {
  return { ...showItem(suite), timeoutMs: null, priority: null, ...suite.definition };
}

/** Fields that responses of tests, suites and schedules share. */
function showItem({ _id, projectId, name, revision, archivedAt, modifiedAt }: ProjectItem<object>) {
  const archived = archivedAt !== undefined;
  return { id: _id, projectId, name, revision, archived, modified: modifiedAt.toISOString() };
}

/** The ETag header of a response. */
export const ETAG = { ETag: 'The revision, to send as If-Match.' };

export const conflict = (description: string) => ({ description, schema: apiError });

export const search = fields.text().max(200).description('Part of the name, case-insensitive.');

export const SAMPLE_PROJECT = {
  id: '7f5b0c3e-9a41-4c55-8d3b-0d6a54c1e2f0',
  name: 'Shop',
  slug: 'shop',
  role: 'owner',
  retentionDays: null,
  revision: 1,
  createdAt: '2026-01-05T09:30:00.000Z',
};

export const NEW_TEST = {
  name: 'Checkout works',
  command: ['node', 'checkout.mjs'],
  cwd: '/srv/checks',
  env: { BASE: 'http://127.0.0.1:8080' },
  timeoutMs: 60_000,
};

const base = { projectId: SAMPLE_PROJECT.id, revision: 1, archived: false, modified: '2026-01-05T09:31:00.000Z' };

export const SAMPLE_TEST = {
  id: 'c0ffee00-1d2e-8f3a-9b4c-5d6e7f8091a2',
  ...base,
  ...NEW_TEST,
  runner: 'command',
  retries: 0,
  pool: 'default',
};

export const NEW_SUITE = { name: 'Smoke', tests: [SAMPLE_TEST.id], parallelism: 4 };

export const SAMPLE_SUITE = {
  id: '5017e000-2b3c-8d4e-8f50-617283940a1b',
  ...base,
  ...NEW_SUITE,
  onFailure: 'continue',
  retryFailed: 0,
  timeoutMs: null,
  overlap: 'allow',
  priority: null,
};
