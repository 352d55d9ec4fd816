import { readdir, readFile, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { BLOCKS, blocksOf, DOCS, regenerated } from '#test/support/docs/blocks.js';
import { fieldsWithoutText } from '#test/support/docs/project-file.js';
import { settingsWithoutText } from '#test/support/docs/settings.js';

const pages = (await readdir(DOCS, { recursive: true })).filter((name) => name.endsWith('.md')).sort();

describe('generated parts of the documentation', () => {
  for (const name of pages)
    it(`are current in docs/${name}`, async () => {
      const file = new URL(name, DOCS);
      const page = await readFile(file, 'utf8');
      const current = await regenerated(page);
      if (process.env.UPDATE_DOCS) await writeFile(file, current);
      else expect(page, 'run `npm run docs:generate`').to.equal(current);
    });

  it('have one page each', async () => {
    const all = await Promise.all(pages.map(async (name) => blocksOf(await readFile(new URL(name, DOCS), 'utf8'))));
    expect(all.flat().sort()).to.deep.equal(Object.keys(BLOCKS).sort());
  });

  it('contain a text for every setting of the environment', () => {
    expect(settingsWithoutText()).to.deep.equal([]);
  });

  it('contain a text for every field of a project file', () => {
    expect(fieldsWithoutText()).to.deep.equal([]);
  });
});
