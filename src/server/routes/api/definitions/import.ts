import Joi from 'joi';
import { absoluteFolder } from '../../../../domain/definition-fields.js';
import { InvalidInputError } from '../../../../domain/errors.js';
import { MAX_PROJECT_FILE_BYTES } from '../../../../domain/project-file.js';
import type { ImportOptions } from '../../../../services/definitions/import-by-api.js';
import type { RouteDeps } from '../../../context.js';
import { callerOf } from '../../../access.js';
import { apiRoute } from '../../../api/api-route.js';
import { uuid } from '../../../api/shapes.js';
import { conflict, SAMPLE_PROJECT, SAMPLE_TEST } from './shapes.js';

/** Ten thousand tests take their time. */
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
  projectId: uuid.description('Absent in a dry run that would create the project: it is not known yet.'),
  name: Joi.string().required(),
  dryRun: Joi.boolean().required(),
  changes: Joi.array()
    .items(
      Joi.object({
        kind: Joi.string().valid('project', 'test', 'suite', 'schedule').required(),
        id: uuid.description('Absent in a dry run that would create the project.'),
        name: Joi.string().required(),
        change: Joi.string().valid('create', 'update', 'archive', 'restore').required(),
        fields: Joi.array().items(Joi.string()).description('Names of the fields that differ.'),
      }),
    )
    .required(),
  unchanged: Joi.number()
    .integer()
    .min(0)
    .required()
    .description('Tests, suites and schedules that are as the file says.'),
});

const outcomeExample = {
  projectId: SAMPLE_PROJECT.id,
  name: 'Shop',
  dryRun: false,
  changes: [{ kind: 'test', id: SAMPLE_TEST.id, name: 'Checkout works', change: 'update', fields: ['command'] }],
  unchanged: 1,
};

/** POST /api/v2/import/: makes a project what its file says. */
export function importRoute({ definitions }: RouteDeps) {
  return apiRoute<{ Query: ImportOptions; Payload: Buffer }>({
    method: 'POST',
    path: '/import/',
    access: { right: 'definitions.edit', askedBy: 'service' },
    query: Joi.object({
      dryRun: Joi.boolean().default(false).description('Only say what would change.'),
      folder: absoluteFolder.description('Base of each relative cwd; without it every cwd has to be absolute.'),
    }),
    textBody: {
      types: ['application/yaml', 'text/yaml', 'text/plain', 'application/json'],
      description: 'A project file (see the README), YAML or JSON, up to 5 MiB.',
      example: EXAMPLE,
    },
    maxBodyBytes: MAX_PROJECT_FILE_BYTES,
    answerMs: ANSWER_MS,
    summary: 'Import a project file',
    description:
      'Makes the project what the file says: makes and changes tests, suites and schedules, and removes those that are not in it; without `schedules` those that are there stay. Importing again changes nothing. Without `id`, the file is about your project of this name: the one that was imported by it, else the one that is named so; where you have none, the import creates one, and you own it. An `id` of a project must be one that you can edit, and ids of tests, suites and schedules must be the project’s own; admins can choose new ones. Needs the role of an editor, of an owner where the project’s own name or retention changes.',
    tag: 'Projects',
    answers: {
      200: { description: 'What has changed, or would.', schema: outcome, example: outcomeExample },
      409: conflict('`changing`: somebody else is importing the same project.'),
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
    const message = 'the file is not UTF-8 text';
    throw new InvalidInputError(message, { cause, fields: [{ field: 'line 1', message }] });
  }
}
