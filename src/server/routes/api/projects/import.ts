import Joi from 'joi';
import { absoluteFolder } from '#src/domain/targets/definition-fields.js';
import { invalidField } from '#src/domain/errors.js';
import { MAX_PROJECT_FILE_BYTES } from '#src/domain/project-file/project-file.js';
import type { ImportOptions, ImportOutcome } from '#src/services/projects/import-by-api.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { callerOf } from '#src/server/http/route-access.js';
import { apiRoute } from '#src/server/api/api-route.js';
import { uuid } from '#src/server/api/shapes.js';
import { conflict, SAMPLE_PROJECT, SAMPLE_TEST } from '#src/server/routes/api/targets/target-shapes.js';

/** Sufficient for ten thousand tests. */
const ANSWER_MS = 60_000;

const EXAMPLE = `project: Shop
tests:
  - name: Checkout works
    command: [node, checkout.mjs]
    cwd: /srv/checks
suites:
  - name: Smoke
    tests: [Checkout works]
`;

const outcome = Joi.object({
  projectId: uuid.description('Absent in a dry run that would create the project: it has no ID yet.'),
  name: Joi.string().required(),
  dryRun: Joi.boolean().required(),
  changes: Joi.array()
    .items(
      Joi.object({
        kind: Joi.string().valid('project', 'test', 'suite', 'schedule').required(),
        id: uuid.description('Absent in a dry run that would create the project.'),
        name: Joi.string().required(),
        change: Joi.string().valid('create', 'update', 'archive', 'restore').required(),
        fields: Joi.array().items(Joi.string()).description('Names of the changed fields.'),
      }),
    )
    .required(),
  unchanged: Joi.number()
    .integer()
    .min(0)
    .required()
    .description('Number of tests, suites and schedules that already match the file.'),
});

const outcomeExample = {
  projectId: SAMPLE_PROJECT.id,
  name: 'Shop',
  dryRun: false,
  changes: [{ kind: 'test', id: SAMPLE_TEST.id, name: 'Checkout works', change: 'update', fields: ['command'] }],
  unchanged: 1,
};

/** The response body is the outcome of the service. */
export type ImportAnswer = ImportOutcome;

/** POST /api/v2/import/: applies a project file. */
export function importRoute({ definitions }: RouteDeps) {
  return apiRoute<{ Query: ImportOptions; Payload: Buffer }>({
    method: 'POST',
    path: '/import/',
    access: { right: 'definitions.edit', askedBy: 'service' },
    query: Joi.object({
      dryRun: Joi.boolean().default(false).description('Return the changes without applying them.'),
      folder: absoluteFolder.description(
        'Base folder for relative `cwd` values. Without it, every `cwd` must be absolute.',
      ),
    }),
    textBody: {
      types: ['application/yaml', 'text/yaml', 'text/plain', 'application/json'],
      description: 'A project file in YAML or JSON, up to 5 MiB. See /docs/project-files.',
      example: EXAMPLE,
    },
    maxBodyBytes: MAX_PROJECT_FILE_BYTES,
    answerMs: ANSWER_MS,
    summary: 'Import a project file',
    description:
      'Creates and updates the tests, suites and schedules in the file, archives tests and suites that are not in it, and deletes schedules that are not in it. If the file has no `schedules`, existing schedules are kept. Importing the same file again changes nothing. Without `id`, the file applies to your project of this name: first the one previously imported under it, then the one currently named so. If you have none, a project is created and you become its owner. The `id` of a project must be one you can edit, and IDs of tests, suites and schedules must belong to that project; admins can also choose new IDs. Requires the editor role, or the owner role if the project’s name or retention changes.',
    tag: 'Projects',
    answers: {
      200: {
        description: 'The changes, or in a dry run the changes that would be made.',
        schema: outcome,
        example: outcomeExample,
      },
      409: conflict('`changing`: another import of this project is in progress.'),
    },
    handler(request) {
      return definitions.importFile(callerOf(request), textOf(request.payload), request.query);
    },
  });
}

function textOf(body: Buffer | null): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body ?? Buffer.alloc(0));
  } catch (cause) {
    throw invalidField('line 1', 'the file is not valid UTF-8', { cause });
  }
}
