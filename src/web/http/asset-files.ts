import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A static file, as it is sent. */
interface Asset {
  content: Buffer;
  /** Of the content: a changed file has another address and is never taken from an old cache. */
  hash: string;
}

const require = createRequire(import.meta.url);
const ours = (name: string) => new URL(`../assets/${name}`, import.meta.url);
const packaged = (path: string) => require.resolve(path);

/** Every static file by the name under which pages ask for it. */
const FILES = {
  'icon.svg': ours('icon.svg'),
  'runhook.css': ours('runhook.css'),
  'run-lists.css': ours('run-lists.css'),
  'theme.js': ours('theme.js'),
  'app.js': ours('app.js'),
  'targets.css': ours('targets.css'),
  'test-form.css': ours('test-form.css'),
  'line-numbers.js': ours('line-numbers.js'),
  'suite-editor.js': ours('suite-editor.js'),
  'suite-picker.js': ours('suite-picker.js'),
  'docs.css': ours('docs.css'),
  'errors.css': ours('errors.css'),
  'live.js': ours('live.js'),
  'log.js': ours('log.js'),
  'runs.css': ours('runs.css'),
  'send-now.js': ours('send-now.js'),
  'settings.css': ours('settings.css'),
  'variables.js': ours('variables.js'),
  'bootstrap.css': packaged('bootstrap/dist/css/bootstrap.min.css'),
  'bootstrap.js': packaged('bootstrap/dist/js/bootstrap.bundle.min.js'),
  // In one file: htmx looks at the page when its script is done, and an extension that came later would never see it.
  'htmx.js': [packaged('htmx.org/dist/htmx.min.js'), packaged('htmx.org/dist/ext/hx-sse.min.js')],
  'insights.css': ours('insights.css'),
  'insights.js': ours('insights.js'),
  'uplot.css': packaged('uplot/dist/uPlot.min.css'),
  'uplot.js': [ours('valid-language.js'), packaged('uplot/dist/uPlot.iife.min.js')],
  'sortable.js': packaged('sortablejs/Sortable.min.js'),
} as const;

export type AssetName = keyof typeof FILES;

/** Read once at start. */
export const assets: ReadonlyMap<string, Asset> = new Map(
  Object.entries(FILES).map(([name, paths]) => {
    const content = Buffer.concat([paths].flat().map((path) => withoutMap(readFileSync(path))));
    return [name, { content, hash: createHash('sha256').update(content).digest('hex').slice(0, 16) }];
  }),
);

/** The address of a static file on the server. */
export function assetUrl(name: AssetName): string {
  return `/assets/${name}?v=${assets.get(name)!.hash}`;
}

/** Source maps of packages are not served: developer tools would request missing files. */
function withoutMap(content: Buffer): Buffer {
  const text = content.toString();
  const plain = text.replace(/\n?(?:\/\/|\/\*)# sourceMappingURL=\S+(?: \*\/)?\s*$/, '\n');
  return plain === text ? content : Buffer.from(plain);
}
