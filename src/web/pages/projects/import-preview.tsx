import type { Change } from '../../../domain/definition-changes.js';
import { Form } from '../../components/form.js';
import { formatCount } from '../../format.js';
import { Layout } from '../../layout/layout.js';
import type { PageContext, Viewer } from '../../layout/viewer.js';

export interface PreviewedChange extends Change {
  kind: 'project' | 'test' | 'suite' | 'schedule';
  /** Absent where the import creates the project. */
  id?: string;
  name: string;
}

export interface ImportPreviewProps {
  page: PageContext & { viewer: Viewer };
  name: string;
  changes: readonly PreviewedChange[];
  unchanged: number;
  /** What is imported then. */
  text: string;
  folder: string;
}

const SHOWN = 500;

const WORDS: Record<Change['change'], string> = {
  create: 'make',
  update: 'change',
  archive: 'archive',
  restore: 'bring back',
};

/** Answers POST /projects/import: what an import would do; nothing is done yet. */
export function ImportPreview({ page, name, changes, unchanged, text, folder }: ImportPreviewProps) {
  return (
    <Layout page={page} title="What the import would change" assets={['targets.css']}>
      <p class="crumbs">
        <a href="/">Projects</a> / <a href="/projects/import">Import a project file</a>
      </p>
      <h1>Import “{name}”?</h1>
      <p>
        {changes.length === 0
          ? 'Nothing would change: the project is as the file says.'
          : `Nothing has changed yet. ${inWords(changes)}`}
        {unchanged > 0 ? ` ${unchanged.toLocaleString('en')} of its tests, suites and schedules stay as they are.` : ''}
      </p>
      {changes.length > 0 ? <Changes changes={changes} /> : null}
      <Form action="/projects/import/confirmed" viewer={page.viewer} enctype="multipart/form-data">
        <textarea name="text" hidden readOnly>
          {text}
        </textarea>
        <input type="hidden" name="folder" value={folder} />
        <div class="buttons">
          {changes.length > 0 ? (
            <button type="submit" class="btn btn-primary">
              Import
            </button>
          ) : null}
          <a class="btn btn-outline-secondary" href="/projects/import">
            {changes.length > 0 ? 'Cancel' : 'Back'}
          </a>
        </div>
      </Form>
    </Layout>
  );
}

/** `make 2 tests and 1 suite; archive 1 test` */
function inWords(changes: readonly PreviewedChange[]): string {
  const parts = Object.entries(WORDS).flatMap(([change, verb]) => {
    const counts = (['project', 'test', 'suite', 'schedule'] as const).flatMap((kind) => {
      const count = changes.filter((one) => one.change === change && one.kind === kind).length;
      return count > 0 ? [formatCount(count, kind)] : [];
    });
    return counts.length > 0 ? [`${verb} ${counts.join(', ')}`] : [];
  });
  return `The import would ${parts.join('; ')}.`;
}

function Changes({ changes }: { changes: readonly PreviewedChange[] }) {
  // What goes away is seen first.
  const ordered = changes.toSorted((a, b) => Number(b.change === 'archive') - Number(a.change === 'archive'));
  return (
    <>
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">What</th>
            <th scope="col">It would</th>
            <th scope="col">Fields that differ</th>
          </tr>
        </thead>
        <tbody>
          {ordered.slice(0, SHOWN).map(({ kind, id, name, change, fields = [] }) => (
            <tr key={`${kind} ${id ?? name}`}>
              <th scope="row">{name}</th>
              <td data-label="What">{kind}</td>
              <td data-label="It would">
                <span class={`change ${change}`}>{WORDS[change]}</span>
              </td>
              <td data-label="Fields that differ">{fields.join(', ') || '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {changes.length > SHOWN ? <p>And {(changes.length - SHOWN).toLocaleString('en')} more.</p> : null}
    </>
  );
}
