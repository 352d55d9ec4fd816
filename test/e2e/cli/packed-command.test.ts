import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { newHome } from '#test/support/cli/cli.js';
import { stubApi, type StubApi } from '#test/support/servers/stub-api.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

/** All packages that the command needs. Others would not be found. */
const NEEDED = ['commander', 'fastest-levenshtein', 'p-map', 'yaml'];

describe('the packed command', function () {
  this.timeout(300_000);
  let folder: string;
  let program: string;
  let api: StubApi;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'runhook-packed-'));
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: ROOT });
    const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as [{ filename: string }];
    await run('tar', ['-xzf', join(folder, filename), '-C', folder]);
    for (const name of NEEDED) {
      await mkdir(join(folder, 'node_modules'), { recursive: true });
      await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
    }
    const { bin } = JSON.parse(await readFile(join(folder, 'package', 'package.json'), 'utf8'));
    program = join(folder, 'package', bin.runhook);
    api = await stubApi();
  });

  after(async () => {
    await api?.stop();
    if (folder) await rm(folder, { recursive: true });
  });

  async function packed(args: string[]) {
    const env = { PATH: process.env.PATH, HOME: newHome(), RUNHOOK_URL: api.url, RUNHOOK_API_TOKEN: api.token };
    return run(process.execPath, [program, ...args], { env, cwd: dirname(program) }).then(
      ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
      (error: { code: number; stdout: string; stderr: string }) => ({
        code: error.code,
        out: error.stdout,
        err: error.stderr,
      }),
    );
  }

  it('runs without packages of the server', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    expect(await packed(['--version'])).to.deep.equal({ code: 0, out: `${version}\n`, err: '' });
    expect((await packed(['--help'])).out).to.include('Usage: runhook');
    api.next = { script: ['running', 'failed'], log: ['why'] };
    for (const [args, code] of [
      [['suite', 'run', 'Smoke', '--reporter', 'junit'], 1],
      [['test', 'list'], 0],
      [['run', 'list'], 0],
      [['token', 'list'], 0],
      [['config', 'list'], 0],
      [['export', '--json'], 0],
      [['completion', 'bash'], 0],
      [['doctor'], 0],
      [['apply', join(ROOT, 'examples/demo-shop/runhook.yaml'), '--dry-run'], 0],
    ] as const) {
      const ended = await packed([...args]);
      expect(ended.code, `${args.join(' ')}: ${ended.err}`).to.equal(code);
    }
  });

  it('loads the server’s code for setup only', async () => {
    const { code, err } = await packed(['setup']);
    expect(code).to.equal(3);
    expect(err).to.match(/Cannot find package '(joi|mongodb|@temporalio)/);
  });

  it('shows its help about as fast as Node starts', function () {
    const times = { help: [] as number[], bare: [] as number[] };
    const time = (args: string[]) => {
      const began = performance.now();
      expect(spawnSync(process.execPath, args).status).to.equal(0);
      return performance.now() - began;
    };
    // Alternating, so that other load affects both.
    for (let round = 0; round < 9; round++) {
      times.bare.push(time(['-e', '0']));
      times.help.push(time([program, '--help']));
    }
    const [help, bare] = [median(times.help), median(times.bare)];
    console.log(`      --help: ${help.toFixed(0)} ms; node -e 0: ${bare.toFixed(0)} ms`);
    expect(help / bare).to.be.lessThan(3);
  });
});

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
