import { formatBytes } from '../format.js';

export interface ShownArtifact {
  id: string;
  name: string;
  /** Which one left it, where that is known. */
  attempt?: number | undefined;
  /** In bytes. */
  size: number;
  type: string;
  /** It can be shown. */
  isPicture: boolean;
  /** Where it can be had. */
  href: string;
}

/** Shown on the page; the others are in the list. */
const PICTURES_MAX = 24;

/** The files that a run has left. */
export function Artifacts({ artifacts }: { artifacts: readonly ShownArtifact[] }) {
  if (artifacts.length === 0) return null;
  const pictures = artifacts.filter(({ isPicture }) => isPicture).slice(0, PICTURES_MAX);
  return (
    <section aria-labelledby="artifacts">
      <h2 id="artifacts">Files</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Type</th>
            <th scope="col">Size</th>
          </tr>
        </thead>
        <tbody>
          {artifacts.map(({ id, name, size, type, href }) => (
            <tr key={id}>
              <th scope="row">
                <a href={href}>{name}</a>
              </th>
              <td data-label="Type">{type}</td>
              <td data-label="Size">{formatBytes(size)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div class="pictures">
        {pictures.map(({ id, name, href }) => (
          <a key={id} href={href}>
            <img src={href} alt={name} loading="lazy" />
          </a>
        ))}
      </div>
    </section>
  );
}
