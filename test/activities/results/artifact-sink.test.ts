import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { createArtifactSink, type ArtifactSinkOptions } from '#activities/results/artifact-sink.js';
import { createArtifactUploads } from '#src/db/artifacts/artifact-uploads.js';
import { countStored } from '#src/db/artifacts/artifact-space.js';
import { listArtifacts, openArtifact, removeArtifacts } from '#src/db/artifacts/artifacts.js';
import type { Collections } from '#src/db/schema/collections.js';
import type { ArtifactPlace } from '#src/domain/runs/artifact.js';
import { MIB } from '#src/lib/bytes.js';
import { randomId } from '#src/domain/ids.js';
import { textLog } from '#test/fixtures/commands/support.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';

const LIMITS = { fileBytes: 300 * MIB, runBytes: 500 * MIB, projectBytes: 1000 * MIB };
const TIMES = { outageMs: 500, stoppedMs: 200 };
const text = (content: string) => ({ contentType: 'text/plain', content: Buffer.from(content) });

describe('createArtifactSink', () => {
  let collections: Collections;
  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    collections = (await testDatabase()).collections;
  });

  function sinkOf(place: Partial<ArtifactPlace> = {}, more: Partial<ArtifactSinkOptions> = {}) {
    const at = { runId: randomId(), projectId: randomId(), attempt: 1, delivery: 1, ...place };
    const limits = more.limits ?? LIMITS;
    const log = textLog();
    const uploads = createArtifactUploads(collections, limits.projectBytes);
    const sink = createArtifactSink({ uploads, place: at, limits, log, signal: new AbortController().signal, ...more });
    return { ...sink, place: at, log };
  }

  const namesOf = async (runId: string) => (await listArtifacts(collections, runId)).map(({ filename }) => filename);

  async function contentOf(runId: string, id: string): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of (await openArtifact(collections, runId, id))!.content) parts.push(Buffer.from(part));
    return Buffer.concat(parts);
  }

  /** Chunks of missing files. */
  async function orphans(): Promise<number> {
    const files = await collections.artifactFiles.distinct('_id');
    return collections.artifactChunks.countDocuments({ files_id: { $nin: files } });
  }

  it('saves content unchanged, with its length and SHA-256', async () => {
    const { add, place, notes } = sinkOf();
    const bytes = Buffer.from(Array.from({ length: 3 * MIB + 17 }, (_, index) => index % 251));
    const cut = [bytes.subarray(0, 5), bytes.subarray(5, 2_500_000), bytes.subarray(2_500_000)];
    expect(await add({ name: 'a/b.bin', contentType: 'x/y', content: Readable.from(cut) })).to.be.true;
    expect(await add({ name: 'empty', ...text('') })).to.be.true;
    const [file, empty] = await listArtifacts(collections, place.runId);
    expect(file).to.include({ filename: 'a/b.bin', length: bytes.length });
    expect(file!.metadata).to.deep.equal({
      ...place,
      contentType: 'x/y',
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    expect((await contentOf(place.runId, file!._id.toString())).equals(bytes)).to.be.true;
    expect(empty).to.include({ filename: 'empty', length: 0 });
    expect((await contentOf(place.runId, empty!._id.toString())).length).to.equal(0);
    expect(notes()).to.deep.equal([]);
  });

  it('saves 200 MB in constant memory', async function () {
    this.timeout(120_000);
    const { add, place } = sinkOf();
    const block = Buffer.alloc(64 * 1024, 'x');
    const before = process.memoryUsage();
    let most = 0;
    async function* blocks() {
      for (let at = 0; at < 3200; at++) {
        if (at % 50 === 0) {
          const { heapUsed, external } = process.memoryUsage();
          most = Math.max(most, heapUsed + external - before.heapUsed - before.external);
        }
        yield block;
      }
    }
    expect(await add({ name: 'big', contentType: 'x/y', content: Readable.from(blocks(), { objectMode: false }) })).to
      .be.true;
    expect((await listArtifacts(collections, place.runId))[0]!.length).to.equal(3200 * 64 * 1024);
    expect(most / MIB).to.be.lessThan(80);
    await removeArtifacts(collections, [place.runId]);
    expect(await orphans()).to.equal(0);
  });

  it('does not show a file with a missing chunk', async () => {
    const { place } = sinkOf();
    const upload = createArtifactUploads(collections, 100 * MIB).open(
      place,
      { name: 'a', contentType: 'x/y' },
      100 * MIB,
    );
    await upload.write(Buffer.alloc(MIB), 0);
    await upload.write(Buffer.from('end'), 1);
    const file = await collections.artifactFiles.findOne({ 'metadata.runId': place.runId });
    await collections.artifactChunks.deleteOne({ files_id: file!._id, n: 0 });
    expect(await upload.finish('0'.repeat(64))).to.equal(false);
    expect(await namesOf(place.runId)).to.deep.equal([]);
    await upload.abandon();
    expect(await orphans()).to.equal(0);
  });

  it('numbers duplicate names, and skips invalid ones', async () => {
    const { add, place, notes } = sinkOf();
    for (const name of ['a/shot.png', 'a/shot.png', 'log', 'log', '.env', '.env', './x//y\n\u202e\\z'])
      expect(await add({ name, ...text(name) })).to.be.true;
    for (const name of ['', '/etc/passwd', '../a', 'a/../../b', `${'ä'.repeat(200)}`, 'a'.repeat(1001)])
      expect(await add({ name, ...text('') })).to.be.false;
    expect(await namesOf(place.runId)).to.have.members([
      'a/shot.png',
      'a/shot (2).png',
      'log',
      'log (2)',
      '.env',
      '.env (2)',
      'x/y___z',
    ]);
    expect(notes()).to.have.length(1);
    expect(notes()[0]).to.match(/^6 files were not saved: its name is not a relative path .*, and 3 more\.$/);
  });

  it('skips files above the limits of a file or run, and saves the others', async () => {
    const limits = { fileBytes: 2 * MIB, runBytes: 3 * MIB, projectBytes: 100 * MIB };
    const first = sinkOf({}, { limits });
    const zeros = (bytes: number) => ({ contentType: 'x/y', content: Readable.from([Buffer.alloc(bytes)]) });
    expect(await first.add({ name: 'large', ...zeros(2 * MIB + 1) })).to.be.false;
    expect(await first.add({ name: 'said', ...zeros(1), size: 1e12 })).to.be.false;
    expect(await first.add({ name: 'a', ...zeros(2 * MIB) })).to.be.true;
    const second = sinkOf({ ...first.place, attempt: 2 }, { limits });
    expect(await second.add({ name: 'b', ...zeros(MIB + 1) })).to.be.false;
    expect(await second.add({ name: 'c', ...zeros(MIB) })).to.be.true;
    expect(await namesOf(first.place.runId)).to.deep.equal(['c', 'a']);
    expect(first.log.text()).to.include(
      'The file large was not saved: it is larger than 2 MiB, the maximum size of a file',
    );
    expect(first.notes()[0]).to.include('2 files were not saved: it is larger than 2 MiB');
    expect(second.notes()[0]).to.match(/^The file b was not saved: the files of the run exceed 3 MiB in total/);
    expect(await orphans()).to.equal(0);
  });

  it("respects the project's limit with two concurrent slots, and saves again when space is freed", async () => {
    const limits = { ...LIMITS, projectBytes: 8 * MIB };
    const projectId = randomId();
    const sinks = [sinkOf({ projectId }, { limits }), sinkOf({ projectId }, { limits })];
    const kept = await Promise.all(
      sinks.flatMap(({ add }) =>
        [1, 2, 3].map((n) => add({ name: `f${n}`, contentType: 'x/y', content: Buffer.alloc(2 * MIB) })),
      ),
    );
    const stored = await countStored(collections, projectId);
    expect(stored).to.equal(kept.filter(Boolean).length * 2 * MIB);
    expect(stored)
      .to.be.at.least(4 * MIB)
      .and.at.most(8 * MIB);
    expect(sinks.flatMap(({ notes }) => notes()).join()).to.include('the files of the project exceed 8 MiB in total');

    await removeArtifacts(collections, [sinks[0]!.place.runId, sinks[1]!.place.runId]);
    await collections.artifactSpace.updateOne({ _id: projectId }, { $set: { countedAt: new Date(0) } });
    const after = sinkOf({ projectId }, { limits });
    expect(await after.add({ name: 'x', contentType: 'x/y', content: Buffer.alloc(8 * MIB) })).to.be.true;
    expect((await collections.artifactSpace.findOne({ _id: projectId }))!.bytes).to.equal(8 * MIB);
  });

  it("applies a project's own limit", async () => {
    const projectId = randomId();
    await collections.projects.insertOne({
      _id: projectId,
      name: projectId,
      slug: projectId,
      createdAt: new Date(),
      limits: { artifactsMib: 1 },
    } as never);
    const { add, notes } = sinkOf({ projectId });
    expect(await add({ name: 'a', contentType: 'x/y', content: Buffer.alloc(MIB + 1) })).to.be.false;
    expect(notes()[0]).to.include('exceed 1 MiB in total');
    expect(await add({ name: 'b', contentType: 'x/y', content: Buffer.alloc(MIB) })).to.be.true;
  });

  it('shows nothing of a file that a crash cut off, and deletes it with its run', async () => {
    const { place } = sinkOf();
    const uploads = createArtifactUploads(collections, 100 * MIB);
    const half = uploads.open(place, { name: 'half', contentType: 'x/y' }, 100 * MIB);
    await half.write(Buffer.alloc(MIB), 0);
    await half.write(Buffer.alloc(MIB), 0);
    const [file] = await collections.artifactFiles.find({ 'metadata.runId': place.runId }).toArray();
    expect(await namesOf(place.runId)).to.deep.equal([]);
    expect(await openArtifact(collections, place.runId, file!._id.toString())).to.equal(undefined);
    expect(await collections.artifactChunks.countDocuments({ files_id: file!._id })).to.equal(1);
    await removeArtifacts(collections, [place.runId]);
    expect(await collections.artifactChunks.countDocuments({ files_id: file!._id })).to.equal(0);
    expect(await half.write(Buffer.alloc(MIB), 1)).to.equal('gone');
  });

  it('deletes the files of a lost delivery, even if the next one saves none', async () => {
    const lost = sinkOf();
    await lost.add({ name: 'a', ...text('1') });
    const earlier = sinkOf({ ...lost.place, attempt: 2 });
    await earlier.add({ name: 'other attempt', ...text('1') });
    const again = sinkOf({ ...lost.place, delivery: 2 });
    await again.add({ name: 'a', ...text('22') });
    // The worker that was considered dead.
    await lost.add({ name: 'late', ...text('3') });
    expect(
      (await listArtifacts(collections, lost.place.runId)).map(({ filename, length }) => [filename, length]),
    ).to.deep.equal([
      ['other attempt', 1],
      ['a', 2],
    ]);
    sinkOf({ ...lost.place, delivery: 3 });
    await eventually(async () => ((await namesOf(lost.place.runId)).join() === 'other attempt' ? true : undefined));
  });

  it('waits for the database for a limited total time, and only briefly after a stop', async () => {
    const never = new Promise<never>(() => {});
    const uploads = { ...createArtifactUploads(collections, MIB), begin: () => never };
    const unavailable = sinkOf({}, { uploads, times: TIMES });
    expect(await unavailable.add({ name: 'a', ...text('1') })).to.be.false;
    expect(await unavailable.add({ name: 'b', ...text('1') })).to.be.false;
    expect(unavailable.notes()).to.deep.equal(['2 files were not saved: the database did not respond in time: a, b.']);

    const stop = new AbortController();
    const stopped = sinkOf({}, { times: { outageMs: 60_000, stoppedMs: 200 }, signal: stop.signal });
    const adding = stopped.add({ name: 'c', contentType: 'x/y', content: new Readable({ read() {} }) });
    stop.abort();
    expect(await adding).to.be.false;
    expect(stopped.notes()).to.deep.equal(['The file c was not saved: the run was stopped.']);
  });
});
