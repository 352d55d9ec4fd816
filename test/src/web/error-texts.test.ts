import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { ERROR_TEXTS } from '../../../src/web/error-texts.js';

/** Codes in the first column of the README's table of error codes. */
async function documentedCodes(): Promise<string[]> {
  const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');
  const table = readme.split('| error code | meaning | what to do |\n|---|---|---|\n')[1];
  expect(table, 'the README has a table of error codes').to.be.a('string');
  const rows = table!.split('\n').slice(0, table!.split('\n').indexOf(''));
  return rows.map((row) => /^\| `([A-Z_]+)` \| [^|]+ \| [^|]+ \|$/.exec(row)?.[1] ?? row);
}

describe('error codes', () => {
  it('are all in the table of the README, and no others', async () => {
    // The compiler holds the texts of the web app against the type ErrorCode.
    expect((await documentedCodes()).sort()).to.deep.equal(Object.keys(ERROR_TEXTS).sort());
  });
});
