import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { cli } from '#test/support/cli/cli.js';

describe('runhook completion', () => {
  /** The suggestions of bash after these words; the last one is incomplete. */
  async function offered(words: string[]): Promise<string[]> {
    const { out } = await cli(['completion', 'bash']);
    const script = `${out}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _runhook; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr, status } = spawnSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' });
    expect(status, stderr).to.equal(0);
    return stdout.trim().split('\n');
  }

  it('completes commands, subcommands and options in bash', async () => {
    expect(await offered(['runhook', 'su'])).to.deep.equal(['suite']);
    expect(await offered(['runhook', 'run', 're'])).to.deep.equal(['rerun']);
    expect(await offered(['runhook', 'suite', 'run', 'Smoke', '--out'])).to.deep.equal(['--output-path']);
  });

  it('generates scripts for zsh and fish, and rejects other shells', async () => {
    expect((await cli(['completion', 'zsh'])).out)
      .to.include('compdef _runhook runhook')
      .and.to.include("'suite run')");
    expect((await cli(['completion', 'fish'])).out).to.include('-l output-path');
    expect((await cli(['completion', 'tcsh'])).code).to.equal(2);
  });
});
