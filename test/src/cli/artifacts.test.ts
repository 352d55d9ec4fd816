import { mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createArtifactSink } from '#activities/results/artifact-sink.js';
import { createArtifactUploads } from '#src/db/artifacts/artifact-uploads.js';
import { EXIT } from '#src/cli/exit-codes.js';
import { MIB } from '#src/lib/bytes.js';
import type { TestRun } from '#src/domain/runs/run.js';
import { aTestRun } from '#test/builders/run.js';
import { textLog } from '#test/fixtures/commands/support.js';
import { cli } from '#test/support/cli/cli.js';
import { DATABASE_TIMEOUT_MS } from '#test/support/database.js';
import { addPerson } from '#test/support/people.js';
import { realServer, type RealServer } from '#test/support/servers/real-server.js';

const LIMITS = { fileBytes: 100 * MIB, runBytes: 100 * MIB, projectBytes: 1000 * MIB };

describe('runhook run artifacts', function () {
  this.timeout(30_000);
  let real: RealServer;
  let run: TestRun;
  let token: string;
  let root: string;
  let folder: string;
  const large = Buffer.alloc(5 * MIB + 3, 'runhook');

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    real = await realServer();
    await real.server.start();
  });
  after(() => real.close());

  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'runhook-cli-artifacts-')));
    folder = join(root, 'out');
    const { collections } = real;
    run = aTestRun({ status: 'failed', attempt: 2 });
    const project = { _id: run.projectId, name: 'Demo', slug: run.projectId, revision: 1, createdAt: new Date() };
    await collections.projects.insertOne(project);
    await collections.runs.insertOne(run);
    ({ apiToken: token } = await addPerson(collections, { roles: { [run.projectId]: 'viewer' } }));
    await keep(1, { 'first.txt': 'one' });
    await keep(2, { 'out/a b.txt': 'two', 'big.bin': large, 'report.html': '<script>1</script>', empty: '' });
  });
  afterEach(() => rm(root, { recursive: true }));

  async function keep(attempt: number, files: Record<string, string | Buffer>): Promise<void> {
    const place = { runId: run._id, projectId: run.projectId, attempt, delivery: 1 };
    const uploads = createArtifactUploads(real.collections, LIMITS.projectBytes);
    const signal = new AbortController().signal;
    const { add } = createArtifactSink({ uploads, place, limits: LIMITS, log: textLog(), signal });
    for (const [name, content] of Object.entries(files))
      await add({ name, contentType: 'text/html', content: Buffer.from(content) });
  }

  const artifacts = (...args: string[]) =>
    cli(['run', 'artifacts', run._id, ...args], {
      cwd: root,
      env: { RUNHOOK_URL: real.server.info.uri, RUNHOOK_API_TOKEN: token },
    });

  it('lists the artifacts of the last attempt, or of another', async () => {
    const { code, out, err } = await artifacts();
    expect(code, err).to.equal(0);
    expect(out)
      .to.match(/^NAME +BYTES +TYPE +SHA-256\n/)
      .and.match(/out\/a b.txt +3 +text\/html +[0-9a-f]{64}\n/);
    expect(out).not.to.include('first.txt');
    const first = JSON.parse((await artifacts('--attempt', '1', '--json')).out);
    expect(first.map(({ name, size }: { name: string; size: number }) => [name, size])).to.deep.equal([
      ['first.txt', 3],
    ]);
  });

  it('saves the files unchanged', async () => {
    const { code, out, err } = await artifacts('--output', 'out');
    expect(code, err).to.equal(0);
    expect(out.trim().split('\n').sort()).to.deep.equal(['big.bin', 'empty', 'out/a b.txt', 'report.html']);
    expect(err).to.include(`4 files saved in ${folder}`);
    expect((await readdir(folder, { recursive: true })).sort()).to.deep.equal([
      'big.bin',
      'empty',
      'out',
      'out/a b.txt',
      'report.html',
    ]);
    expect((await readFile(join(folder, 'big.bin'))).equals(large)).to.be.true;
    await writeFile(join(folder, 'report.html'), 'old');
    expect((await artifacts('--output', 'out')).code).to.equal(0);
    expect(await readFile(join(folder, 'report.html'), 'utf8')).to.equal('<script>1</script>');
  });

  it('writes nothing outside the folder, even for names from a hostile server', async () => {
    const { artifactFiles } = real.collections;
    const rename = (filename: string) =>
      artifactFiles.updateOne({ 'metadata.runId': run._id, 'metadata.attempt': 1 }, { $set: { filename } });
    for (const name of ['../stolen', '/tmp/stolen', 'a/../../stolen']) {
      await rename(name);
      const { code, err } = await artifacts('--output', 'out', '--attempt', '1');
      expect(code).to.equal(EXIT.error);
      expect(err).to.include('has an invalid name');
    }
    await rename('a\u001b[31m\u202eb');
    expect((await artifacts('--output', 'named', '--attempt', '1')).code).to.equal(0);
    expect(await readdir(join(root, 'named'))).to.deep.equal(['a_[31m_b']);
    await rename('link/x');
    await writeFile(join(root, 'x'), 'mine');
    await artifacts('--output', 'out', '--attempt', '2');
    await symlink('..', join(folder, 'link'));
    const linked = await artifacts('--output', 'out', '--attempt', '1');
    expect(linked.code).to.equal(EXIT.error);
    expect(linked.err).to.include('a symbolic link points outside');
    expect(await readFile(join(root, 'x'), 'utf8')).to.equal('mine');
  });

  it('leaves no partial file when the content is wrong', async () => {
    const file = (await real.collections.artifactFiles.findOne({ 'metadata.runId': run._id, filename: 'big.bin' }))!;
    await real.collections.artifactChunks.deleteOne({ files_id: file._id, n: 2 });
    const { code, err } = await artifacts('--output', 'out');
    expect(code).not.to.equal(0);
    expect(err).to.not.equal('');
    expect(await readdir(folder).catch(() => [])).not.to.include('big.bin');
    expect((await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.part'))).to.deep.equal([]);
  });

  it('reports that the folder is not writable', async () => {
    await writeFile(folder, '');
    const { code, err } = await artifacts('--output', 'out');
    expect(code).to.equal(EXIT.error);
    expect(err).to.match(/Cannot save .*: E(EXIST|NOTDIR)/);
  });
});
