import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { repositoryRoot } from '#tools/stack/paths.js';
import { testFolders } from '#tools/stack/test-folders.js';

describe('folders of the local stack’s tests', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'runhook-folders-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const file = () => join(folder, 'data', 'test-folders.json');
  const examples = join(repositoryRoot, 'examples');

  it('are the examples, and those in the variable', () => {
    expect(testFolders(undefined, { file: file(), projectFiles: [] })).to.equal(examples);
    expect(testFolders('none', { file: file(), projectFiles: [] })).to.equal(examples);
    expect(testFolders('/srv,/opt/checks', { file: file(), projectFiles: [] })).to.equal(
      `/srv,/opt/checks,${examples}`,
    );
  });

  it('include those of a project file and its tests, also at later starts', () => {
    const project = join(folder, 'runhook.yaml');
    writeFileSync(
      project,
      'project: P\ntests:\n  - { name: A, command: [a], cwd: ../api }\n  - { name: B, command: [b] }\n',
    );
    const all = [examples, folder, join(folder, '../api')].join(',');
    expect(testFolders(undefined, { file: file(), projectFiles: [project] })).to.equal(all);
    rmSync(project);
    expect(testFolders(undefined, { file: file(), projectFiles: [] })).to.equal(all);
  });
});
