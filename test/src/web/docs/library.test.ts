import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { docLibrary, docPath, readDocs } from '#src/web/docs/library.js';
import { searchDocs } from '#src/web/docs/search.js';
import { renderDoc } from '#src/web/docs/markdown.js';
import { DOC_LINKS } from '#src/web/texts/doc-links.js';

const ROOT = new URL('../../../../', import.meta.url);

describe('documentation', () => {
  const { pages, chapters } = docLibrary();

  it('lists every page except decisions in its index', () => {
    const listed = chapters.flatMap(({ pages }) => pages.map(({ slug }) => slug));
    const expected = [...pages.keys()].filter((slug) => slug !== '' && !slug.startsWith('decisions/'));
    expect(listed.sort()).to.deep.equal(expected.sort());
  });

  for (const page of pages.values())
    it(`has no broken link in ${docPath(page.slug)}`, () => {
      for (const [, url] of page.html.matchAll(/(?:href|src)="([^"]+)"/g)) {
        if (/^https?:/.test(url!)) continue;
        const [path, anchor] = url!.split('#');
        if (path!.startsWith('/docs/screenshots/')) {
          expect(existsSync(new URL(`.${path}`, ROOT)), url).to.be.true;
          continue;
        }
        const target = path === '' ? page : pages.get(path!.replace(/^\/docs\/?/, ''));
        expect(target, `${url}: no such page`).to.be.an('object');
        if (anchor)
          expect(
            target!.sections.map((section) => section.anchor),
            url,
          ).to.include(anchor);
      }
    });

  it('links only to existing files, on GitHub too', () => {
    for (const page of pages.values()) {
      const folder = page.slug === 'decisions' ? 'docs/decisions/' : `docs/${page.slug.replace(/[^/]*$/, '')}`;
      for (const link of page.links.filter((one) => !/^(https?:|#)/.test(one)))
        expect(existsSync(new URL(folder + link.split('#')[0]!, ROOT)), `${docPath(page.slug)}: ${link}`).to.be.true;
    }
  });

  it('is linked from a README of at most 10 KB without broken links', async () => {
    const readme = await readFile(new URL('README.md', ROOT), 'utf8');
    expect(Buffer.byteLength(readme)).to.be.at.most(10_240);
    const { links } = renderDoc(readme, (written) => written);
    for (const link of links.filter((one) => !one.startsWith('https:')))
      expect(existsSync(new URL(link, ROOT)), link).to.be.true;
  });

  it('is part of the package, with the pictures on its pages', async () => {
    const { files } = JSON.parse(await readFile(new URL('package.json', ROOT), 'utf8')) as { files: string[] };
    const pictures = [...pages.values()].flatMap((page) => page.pictures.map((path) => path.slice(1)));
    expect(files).to.include.members(['docs/*.md', 'docs/decisions/**/*.md', ...pictures]);
  });

  describe('in a folder', () => {
    let folder: URL;
    beforeEach(async () => {
      folder = new URL(`${pathToFileURL(await mkdtemp(join(tmpdir(), 'runhook-docs-'))).href}/`);
      await mkdir(new URL('screenshots/list', folder), { recursive: true });
      await mkdir(new URL('why', folder));
      await writeFile(new URL('README.md', folder), '# Index\n\n## Start\n\n- [First](first.md): words\n');
      await writeFile(
        new URL('first.md', folder),
        '# First\n\n[why](why/README.md#a-reason) ![P](screenshots/list/p.png) [code](../src/a.ts)\n\n## Send a key\n\nNever twice.\n',
      );
      await writeFile(
        new URL('why/README.md', folder),
        '# Why\n\n[first](../first.md)\n\n## A reason\n\nA key is unique.\n',
      );
      await writeFile(new URL('screenshots/list/p.png', folder), 'picture');
      await writeFile(new URL('screenshots/list/other.png', folder), 'other');
    });
    afterEach(() => rm(folder, { recursive: true }));

    it('links to pages and pictures on the server', () => {
      const { pages, chapters } = readDocs(folder);
      expect([...pages.keys()].sort()).to.deep.equal(['', 'first', 'why']);
      expect(chapters).to.deep.equal([{ title: 'Start', pages: [{ slug: 'first', title: 'First' }] }]);
      expect(pages.get('first')!.html).to.contain(
        '<a href="/docs/why#a-reason">why</a> <img src="/docs/screenshots/list/p.png" alt="P"> code',
      );
      expect(pages.get('why')!.html).to.contain('<a href="/docs/first">first</a>');
    });

    it('serves the pictures on pages, and no other files', () => {
      const { picture } = readDocs(folder);
      expect(picture('list/p.png')!.toString()).to.equal('picture');
      for (const name of ['list/other.png', '../first.md', 'list/../list/p.png', 'none.png'])
        expect(picture(name), name).to.be.undefined;
    });

    it('finds sections that contain every word, headings first', () => {
      const { pages } = readDocs(folder);
      const found = (query: string) => searchDocs(pages.values(), query).map(({ slug, anchor }) => `${slug}#${anchor}`);
      expect(found('KEY')).to.deep.equal(['first#send-a-key', 'why#a-reason']);
      expect(found('key never')).to.deep.equal(['first#send-a-key']);
      expect(found('key nowhere')).to.deep.equal([]);
      expect(found('  ')).to.deep.equal([]);
      expect(found('a.*(')).to.deep.equal([]);
    });

    it('ranks a decision below the page that it explains', async () => {
      await mkdir(new URL('decisions', folder));
      await writeFile(new URL('decisions/key.md', folder), '# Key\n\n## Send a key\n\nWhy a key is sent.\n');
      const slugs = searchDocs(readDocs(folder).pages.values(), 'send').map(({ slug }) => slug);
      expect(slugs).to.deep.equal(['first', 'decisions/key']);
    });

    it('highlights the search terms', () => {
      const [, hit] = searchDocs(readDocs(folder).pages.values(), 'key');
      expect(hit!.excerpt).to.deep.equal(['A ', 'key', ' is unique.']);
    });
  });
});

describe('links of the web app to the documentation', () => {
  for (const [topic, { path }] of Object.entries(DOC_LINKS))
    it(`lead to an existing page and heading: ${topic}`, () => {
      const [page, anchor] = path.split('#');
      const target = docLibrary().pages.get(page!.replace('/docs/', ''));
      expect(target, path).to.be.an('object');
      if (anchor) expect(target!.sections.map((section) => section.anchor)).to.include(anchor);
    });

  it('are defined in one place, and all used', () => {
    const source = new URL('src/web/', ROOT);
    const views = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.tsx') && !name.startsWith('docs/'))
      .map((name) => [name, readFileSync(new URL(name, source), 'utf8')] as const);
    // The layout links to the index.
    const elsewhere = views.filter(([, text]) => text.includes('"/docs/')).map(([name]) => name);
    expect(elsewhere).to.deep.equal([]);
    const all = views.map(([, text]) => text).join('\n');
    const unused = Object.keys(DOC_LINKS).filter((topic) => !new RegExp(`(to|help)="${topic}"|'${topic}'`).test(all));
    expect(unused).to.deep.equal([]);
  });
});
