import type { ProjectItemKind } from '#src/domain/targets/target-kind.js';
import type { Change } from '#src/domain/targets/definition-changes.js';
import { DataTable } from '#src/web/components/data-table.js';
import { Form } from '#src/web/components/form/form.js';
import { formatCount } from '#src/web/texts/format.js';
import { Layout } from '#src/web/layout/layout.js';
import type { SignedInPage } from '#src/web/layout/page-context.js';

interface PreviewedChange extends Change {
  kind: 'project' | ProjectItemKind;
  /** Absent where the import creates the project. */
  id?: string;
  name: string;
}

interface ImportPreviewProps {
  page: SignedInPage;
  name: string;
  changes: readonly PreviewedChange[];
  unchanged: number;
  /** What is imported then. */
  text: string;
  folder: string;
}

const SHOWN = 500;

const WORDS: Record<Change['change'], string> = {
  create: 'create',
  update: 'change',
  archive: 'archive',
  restore: 'restore',
};

/** Answers POST /projects/import: what an import would do; nothing is done yet. */
export function ImportPreview({ page, name, changes, unchanged, text, folder }: ImportPreviewProps) {
  return (
    <Layout page={page} title="Changes of this import" assets={['targets.css']}>
      <p class="crumbs">
        <a href="/">Projects</a> / <a href="/projects/import">Import a project file</a>
      </p>
      <h1>Import “{name}”?</h1>
      <p>
        {changes.length === 0
          ? 'No changes: the project matches the file.'
          : `Nothing has been changed yet. ${inWords(changes)}`}
        {unchanged > 0 ? ` ${unchanged.toLocaleString('en')} of its tests, suites and schedules are unchanged.` : ''}
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
      <DataTable
        items={ordered.slice(0, SHOWN)}
        columns={[
          { label: 'Name', cell: ({ name }) => name },
          { label: 'What', cell: ({ kind }) => kind },
          { label: 'Change', cell: ({ change }) => <span class={`change ${change}`}>{WORDS[change]}</span> },
          { label: 'Changed fields', cell: ({ fields = [] }) => fields.join(', ') || '–' },
        ]}
      />
      {changes.length > SHOWN ? <p>And {(changes.length - SHOWN).toLocaleString('en')} more.</p> : null}
    </>
  );
}
