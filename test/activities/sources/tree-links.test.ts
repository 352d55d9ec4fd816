import { expect } from 'chai';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refuseLinksOutside } from '#activities/sources/tree-links.js';

/** As long as a target may be, and back to where it starts. */
const DETOUR = 'x/'.repeat(800) + '../'.repeat(800);
/** Links that lead to each other, then as many links to the first of them. */
const CHAIN = 40;
const LINKS = 150;

describe('links of a tree that take long to follow', () => {
  let tree: string;
  before(() => {
    tree = mkdtempSync(join(tmpdir(), 'runhook-tree-links-'));
    for (let n = 0; n < CHAIN; n++) symlinkSync(`${DETOUR}chain-${n + 1}`, join(tree, `chain-${n}`));
    for (let n = 0; n < LINKS; n++) symlinkSync('chain-0', join(tree, `link-${n}`));
  });
  after(() => rmSync(tree, { recursive: true }));

  it('do not block the event loop, and a stop ends the check', async () => {
    const startedAt = performance.now();
    const error: unknown = await refuseLinksOutside(tree, AbortSignal.timeout(200)).catch((reason: unknown) => reason);
    expect(error).to.include({ name: 'TimeoutError' });
    expect(performance.now() - startedAt).to.be.below(6000);
  });
});
