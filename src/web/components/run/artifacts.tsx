import { DataTable } from '#src/web/components/data-table.js';
import { formatBytes } from '#src/web/texts/format.js';

export interface ShownArtifact {
  id: string;
  name: string;
  /** Of the run; absent in files of old. */
  attempt?: number | undefined;
  /** In bytes. */
  size: number;
  type: string;
  /** In hex. */
  sha256?: string | undefined;
  /** It can be shown. */
  isPicture: boolean;
  /** Where it can be had. */
  href: string;
  /** Where it can be looked at, of an HTML report. */
  reportHref?: string | undefined;
}

/** Shown on the page; the others are in the list. */
const PICTURES_MAX = 24;
/** A longer list is folded. */
const UNFOLDED_MAX = 20;

/** The files that a run has left: its reports first, the last attempt's before the others. */
export function Artifacts({ artifacts }: { artifacts: readonly ShownArtifact[] }) {
  if (artifacts.length === 0) return null;
  const attempts = [...new Set(artifacts.map(({ attempt }) => attempt))];
  return (
    <section aria-labelledby="artifacts">
      <h2 id="artifacts">Files</h2>
      {attempts.map((attempt) => (
        <div key={attempt ?? 0} class="artifacts">
          {attempts.length > 1 ? <h3>{attempt === undefined ? 'Of the run' : `Attempt ${attempt}`}</h3> : null}
          <Files files={artifacts.filter((file) => file.attempt === attempt)} />
        </div>
      ))}
    </section>
  );
}

function Files({ files }: { files: readonly ShownArtifact[] }) {
  const table = (
    <DataTable
      items={files}
      columns={[
        { label: 'Name', cell: ({ name, href }) => <a href={href}>{name}</a> },
        { label: 'Type', cell: ({ type }) => type },
        { label: 'Size', cell: ({ size }) => formatBytes(size) },
        { label: 'SHA-256', cell: ({ sha256 }) => (sha256 ? <Hash value={sha256} /> : '–') },
      ]}
    />
  );
  return (
    <>
      <Reports files={files} />
      <Pictures files={files} />
      {files.length > UNFOLDED_MAX ? (
        <details>
          <summary>{files.length.toLocaleString('en')} files</summary>
          {table}
        </details>
      ) : (
        table
      )}
    </>
  );
}

function Reports({ files }: { files: readonly ShownArtifact[] }) {
  const reports = files.filter(({ reportHref }) => reportHref !== undefined);
  if (reports.length === 0) return null;
  return (
    <ul class="reports">
      {reports.map(({ id, name, reportHref }) => (
        <li key={id}>
          <a href={reportHref} class="btn btn-outline-primary">
            Open report {name}
          </a>
        </li>
      ))}
    </ul>
  );
}

function Pictures({ files }: { files: readonly ShownArtifact[] }) {
  const pictures = files.filter(({ isPicture }) => isPicture).slice(0, PICTURES_MAX);
  if (pictures.length === 0) return null;
  return (
    <div class="pictures">
      {pictures.map(({ id, name, href }) => (
        <a key={id} href={href}>
          <img src={href} alt={name} loading="lazy" />
        </a>
      ))}
    </div>
  );
}

/** Its beginning; all of it when it is opened, to be copied. */
function Hash({ value }: { value: string }) {
  return (
    <details class="hash">
      <summary>
        <code>{value.slice(0, 12)}…</code>
      </summary>
      <code>{value}</code>
    </details>
  );
}
