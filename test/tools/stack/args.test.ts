import { expect } from 'chai';
import { parseArguments, UsageError } from '#tools/stack/args.js';

describe('arguments of npm start', () => {
  it('has defaults', () => {
    expect(parseArguments([], '/clone')).to.deep.equal({
      projects: [],
      port: undefined,
      dataDir: '/clone/.runhook',
      help: false,
    });
  });

  it('reads all of them, with files relative to the folder', () => {
    const argv = ['--project', 'a.yaml', '--project=/b.yaml', '--port', '5000', '--data-dir', 'data'];
    expect(parseArguments(argv, '/clone')).to.deep.equal({
      projects: ['/clone/a.yaml', '/b.yaml'],
      port: 5000,
      dataDir: '/clone/data',
      help: false,
    });
  });

  for (const [argv, words] of [
    [['--prot', '1'], '--prot'],
    [['extra'], 'extra'],
    [['--project'], '--project'],
    [['--port', '0'], '--port must be a number from 1 to 65535, not "0"'],
    [['--port', '4e3'], '--port'],
    [['--port', '65536'], '--port'],
  ] as const) {
    it(`rejects ${argv.join(' ')}`, () => {
      expect(() => parseArguments([...argv], '/clone')).to.throw(UsageError, words);
    });
  }
});
