import { TextArea } from '#src/web/components/form/field.js';

/** One place in a suite. */
export interface SuiteEntry {
  id: string;
  name: string;
}

interface SuiteEditorProps {
  projectId: string;
  /** In the order in which they start. */
  entries: readonly SuiteEntry[];
  /** The saved ones, when someone else has changed the suite. */
  current?: readonly SuiteEntry[] | undefined;
}

/**
 * The tests of a suite in their order: ids in a field, and their names for suite-editor.js, which makes a list of them to
 * order by mouse and by keyboard; suite-picker.js finds more. Drawing 10,000 rows here would take longer than all else.
 */
export function SuiteEditor({ projectId, entries, current }: SuiteEditorProps) {
  const names = entries.map(({ name }) => name);
  const saved = current?.map(({ name }) => name).join(', ') ?? '';
  return (
    <section
      class="suite-editor"
      aria-labelledby="suite-tests-title"
      data-suite-editor={`/api/v2/projects/${projectId}/tests/`}
    >
      <h2 id="suite-tests-title">
        Tests <span class="muted" data-count />
      </h2>
      <TextArea
        name="tests"
        label="Test IDs in execution order"
        labelOf={() => saved}
        rows={8}
        isCode
        hint="One per line. With JavaScript enabled, you can select tests by name."
      />
      <div class="suite-columns">
        <div class="suite-picker" hidden>
          <label class="form-label" for="pick">
            Add tests by name
          </label>
          <input class="form-control" type="search" id="pick" autocomplete="off" />
          <p class="muted" role="status" data-found />
          <ul data-results />
          <button type="button" class="btn btn-sm btn-outline-secondary" data-add-all hidden>
            Add all
          </button>
        </div>
        <div>
          <p class="muted" data-none hidden={entries.length > 0}>
            No tests in this suite yet. Search for tests by name and add them.
          </p>
          <ol class="suite-order" aria-label="Tests of this suite, in order" data-names={JSON.stringify(names)} />
        </div>
      </div>
      <p class="visually-hidden" role="status" data-announce />
    </section>
  );
}
