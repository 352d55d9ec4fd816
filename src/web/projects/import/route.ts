import Joi from 'joi';
import type { Request, ServerRoute } from '@hapi/hapi';
import { absoluteFolder } from '#src/domain/targets/definition-fields.js';
import { InvalidInputError } from '#src/domain/errors.js';
import { MAX_PROJECT_FILE_BYTES } from '#src/domain/project-file/project-file.js';
import type { FormValues } from '#src/web/components/form/form.js';
import { ImportPage } from './page.js';
import { ImportPreview } from './import-preview.js';
import { callerOf } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { checked } from '#src/server/forms/checked.js';
import type { SubmittedForm } from '#src/server/forms/submitted-form.js';
import { formPages } from '#src/server/forms/form-pages.js';
import { formRoute } from '#src/server/forms/form-route.js';

/** Ten thousand tests take their time. */
const ANSWER_MS = 60_000;
const FOLDER = Joi.object<{ folder?: string }>({ folder: absoluteFolder });
const PATH = '/projects/import';
/** Which project it is about only the file says: the service asks for the right. */
const access = { right: 'definitions.edit', askedBy: 'service' } as const;
const options = { access, withFiles: true, answerMs: ANSWER_MS, maxBytes: 2 * MAX_PROJECT_FILE_BYTES };

/** GET and POST /projects/import (shows what it would change) and POST /projects/import/confirmed (does it). */
export function importRoutes({ definitions }: RouteDeps): ServerRoute[] {
  const run = async (request: Pick<Request, 'app'>, form: SubmittedForm, dryRun: boolean) => {
    const { folder } = checked(FOLDER, { folder: form.text('folder') });
    return definitions.importFile(callerOf(request), await textOf(form), { dryRun, folder });
  };
  return [
    ...formPages({
      ...options,
      path: PATH,
      submitted,
      show: (_request, page, form) => ImportPage({ page, form }),
      async submit(request, form, page) {
        const { name, changes, unchanged } = await run(request, form, true);
        return ImportPreview({ page, name, changes, unchanged, text: await textOf(form), folder: form.raw('folder') });
      },
    }),
    formRoute({
      ...options,
      path: `${PATH}/confirmed`,
      async submit(request, form) {
        const { projectId, name } = await run(request, form, false);
        return { goTo: `/projects/${projectId}/tests`, notice: `“${name}” imported.` };
      },
      rerender: async (_request, form, problem, page) =>
        ImportPage({ page, form: { values: await submitted(form), problem } }),
    }),
  ];
}

/** A selected file takes precedence over pasted text. */
async function textOf(form: SubmittedForm): Promise<string> {
  const text = (await form.file('file')) ?? form.text('text');
  if (text !== undefined) return text;
  const message = 'Choose a project file, or paste its content.';
  throw new InvalidInputError(message, { fields: [{ field: 'text', message }] });
}

/** Shows the content of a selected file as text; one that is no text is lost. */
async function submitted(form: SubmittedForm): Promise<FormValues> {
  return { text: await textOf(form).catch(() => ''), folder: form.raw('folder') };
}
