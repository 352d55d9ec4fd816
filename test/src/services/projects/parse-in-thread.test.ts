import { expect } from 'chai';
import { UnavailableError } from '#src/domain/errors.js';
import { ProjectFileError } from '#src/domain/project-file/project-file-error.js';
import { projectFileParser } from '#test/support/project-file-parser.js';

const FILE = 'project: A\ntests:\n  - { name: T, command: [x], cwd: here }\n';
/** Small, but takes many seconds to parse. */
const SLOW = ']'.repeat(2_000_000);

describe('parse project files in a thread', function () {
  this.timeout(30_000);
  const task = { text: FILE, fileName: 'a.yaml', folder: '/srv' };

  it('parses a file', async () => {
    const file = await projectFileParser()(task);
    expect(file.tests[0]!.definition.cwd).to.equal('/srv/here');
  });

  it('returns all problems of a file', async () => {
    const { folder: _, ...withoutFolder } = task;
    const error = await projectFileParser()(withoutFolder).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(ProjectFileError);
    expect((error as ProjectFileError).problems.map(({ line }) => line)).to.eql([3]);
  });

  it('times out for one file while others are parsed', async () => {
    const parse = projectFileParser({ timeoutMs: 4000 });
    const slow = parse({ ...task, text: SLOW }).catch((reason: unknown) => reason);
    const began = performance.now();
    let turns = 0;
    const timer = setInterval(() => turns++, 20);
    const error = await slow;
    clearInterval(timer);
    expect(error).to.be.instanceOf(ProjectFileError).with.property('message').that.includes('too much memory to read');
    expect(performance.now() - began).to.be.lessThan(10_000);
    // The event loop was not blocked.
    expect(turns).to.be.greaterThan(50);
    expect((await parse(task)).name).to.equal('A');
  });

  it('queues files, and rejects them when the queue is full', async () => {
    const parse = projectFileParser({ threads: 1, waiting: 1 });
    const results = await Promise.allSettled([parse(task), parse(task), parse(task)]);
    expect(results.map(({ status }) => status)).to.eql(['fulfilled', 'fulfilled', 'rejected']);
    expect((results[2] as PromiseRejectedResult).reason).to.be.instanceOf(UnavailableError);
    expect((await parse(task)).name).to.equal('A');
  });
});
