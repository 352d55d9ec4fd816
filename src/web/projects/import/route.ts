import Joi from 'joi';
import type { Request, ServerRoute } from '@hapi/hapi';
import { absoluteFolder } from '#src/domain/targets/definition-fields.js';
import { InvalidInputError } from '#src/domain/errors.js';
import { MAX_PROJECT_FILE_BYTES } from '#src/domain/project-file/project-file.js';
import type { FormProblem } from '#src/web/components/form/form.js';
import type { PageContext, Viewer } from '#src/web/layout/page-context.js';
import { ImportPage } from './page.js';
import { ImportPreview } from './import-preview.js';
import { callerOf } from '#src/server/http/route-access.js';
import type { RouteDeps } from '#src/server/route-deps.js';
import { checked } from '#src/server/pages/checked.js';
import type { Form } from '#src/server/pages/form-fields.js';
import { formRoute } from '#src/server/pages/form-route.js';
import { pageRoute } from '#src/server/pages/page-route.js';

/** Ten thousand tests take their time. */
const ANSWER_MS = 60_000;
const FOLDER = Joi.object<{ folder?: string }>({ folder: absoluteFolder });
const PATH = '/projects/import';
/** Which project it is about only the file says: the service asks for the right. */
const access = { right: 'definitions.edit', askedBy: 'service' } as const;
const options = { access, withFiles: true, answerMs: ANSWER_MS, maxBytes: 2 * MAX_PROJECT_FILE_BYTES };

/** GET and POST /projects/import (shows what it would change) and POST /projects/import/confirmed (does it). */
export function importRoutes({ definitions }: RouteDeps): ServerRoute[] {
  const run = async (request: Pick<Request, 'app'>, form: Form, dryRun: boolean) => {
    const { folder } = checked(FOLDER, { folder: form.text('folder') });
    return definitions.importFile(callerOf(request), await textOf(form), { dryRun, ...(folder ? { folder } : {}) });
  };
  return [
    pageRoute({ path: PATH, access, show: (_request, page) => ImportPage({ page }) }),
    formRoute({
      ...options,
      path: PATH,
      async take(request, form, page) {
        const { name, changes, unchanged } = await run(request, form, true);
        return ImportPreview({ page, name, changes, unchanged, text: await textOf(form), folder: form.raw('folder') });
      },
      again,
    }),
    formRoute({
      ...options,
      path: `${PATH}/confirmed`,
      async take(request, form) {
        const { projectId, name } = await run(request, form, false);
        return { goTo: `/projects/${projectId}/tests`, notice: `“${name}” imported.` };
      },
      again,
    }),
  ];
}

async function again(_request: unknown, form: Form, problem: FormProblem, page: PageContext & { viewer: Viewer }) {
  return ImportPage({ page, problem, values: { text: (await sentText(form)) ?? '', folder: form.raw('folder') } });
}

/** A file that was chosen goes before what was pasted. */
async function textOf(form: Form): Promise<string> {
  const text = (await form.file('file')) ?? form.text('text');
  if (text !== undefined) return text;
  const message = 'Choose a project file, or paste its content.';
  throw new InvalidInputError(message, { fields: [{ field: 'text', message }] });
}

/** For the form that is shown again; a file that is no text is not. */
async function sentText(form: Form): Promise<string | undefined> {
  try {
    return await textOf(form);
  } catch {
    return undefined;
  }
}
