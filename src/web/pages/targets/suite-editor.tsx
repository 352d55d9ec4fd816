import { TextArea } from '../../components/field.js';

/** One place in a suite. */
export interface SuiteEntry {
  id: string;
  name: string;
}

export interface SuiteEditorProps {
  projectId: string;
  /** In the order in which they start. */
  entries: readonly SuiteEntry[];
  problem?: string | undefined;
}

/**
 * The tests of a suite in their order. suite-editor.js makes them movable by mouse and by keyboard, suite-picker.js finds more of them;
 * without it they are ids in a field. Rows are plain, for there may be thousands: the script gives them their buttons.
 */
export function SuiteEditor({ projectId, entries, problem }: SuiteEditorProps) {
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
        label="Ids of tests in the order in which they start"
        value={entries.map(({ id }) => id).join('\n')}
        problem={problem}
        rows={8}
        isCode
        hint="One a line. With JavaScript you choose them by name."
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
            No test is in this suite yet. Find some by name and add them.
          </p>
          <ol class="suite-order" aria-label="Tests of this suite, in order">
            {entries.map(({ id, name }, index) => (
              <li key={index} data-id={id}>
                <span data-place={`${index + 1}. `}>{name}</span>
              </li>
            ))}
          </ol>
        </div>
      </div>
      <p class="visually-hidden" role="status" data-announce />
    </section>
  );
}
