import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { format, resolveConfig } from 'prettier';
import { processIo } from '../../../src/cli/io.js';
import { createProgram } from '../../../src/cli/program.js';
import { cliReference } from '../../support/cli-reference.js';

const FILE = fileURLToPath(new URL('../../../docs/cli.md', import.meta.url));
const MARK = '<!-- Below: made of the command itself. `UPDATE_DOCS=1` with this test writes it. -->\n';

describe('docs/cli.md', function () {
  this.timeout(30_000);

  it('describes every command as it is', async () => {
    const parts = { setUp: async () => {}, rotateSecrets: async () => 0 as const, checkServerParts: async () => [] };
    const program = createProgram({ io: processIo(), version: '0', ended: () => {} }, parts);
    const before = await readFile(FILE, 'utf8');
    const introduction = before.slice(0, before.indexOf(MARK));
    const wanted = await format(`${introduction}${MARK}\n${cliReference(program)}`, {
      ...(await resolveConfig(FILE)),
      filepath: FILE,
    });
    if (process.env.UPDATE_DOCS) await writeFile(FILE, wanted);
    else expect(before, 'run this test with UPDATE_DOCS=1').to.equal(wanted);
  });
});
