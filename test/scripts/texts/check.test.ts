import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { check } from '#scripts/texts/check.mjs';
import { readTexts } from '#scripts/texts/read-texts.mjs';

/** Areas that only developers read: `npm run texts -- --check` lists them without failing. */
const FOR_DEVELOPERS = /^(comments|names|tests|texts)( of tests)?$/;

describe('texts that users see', () => {
  it('contain no phrases to avoid', () => {
    const root = fileURLToPath(new URL('../../../', import.meta.url));
    const hits = check(readTexts(root, { isComplete: true }))
      .filter(({ area }) => !FOR_DEVELOPERS.test(area))
      .map(({ file, line, found, instead }) => `${file}:${line} “${found}”: write ${instead}`);
    expect(hits).to.deep.equal([]);
  });
});
