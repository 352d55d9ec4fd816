import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Files by path: text, a program, or the target of a link. */
export type Files = Record<string, string | { program: string } | { link: string }>;

/** A real Git repository with a working tree. */
export interface GitRepository {
  folder: string;
  /** file:///… */
  url: string;
  git(...args: string[]): string;
  /** Writes files and commits everything. @returns the commit */
  commit(files: Files, message?: string): string;
}

export function makeGitRepository(folder: string): GitRepository {
  mkdirSync(folder, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        GIT_CONFIG_NOSYSTEM: '1',
        ...{ GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.test' },
        ...{ GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.test' },
      },
    }).trim();
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'http.receivepack', 'false');
  return {
    folder,
    url: `file://${folder}`,
    git,
    commit(files, message = 'A change') {
      for (const [path, content] of Object.entries(files)) writeEntry(join(folder, path), content);
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '--message', message);
      return git('rev-parse', 'HEAD');
    },
  };
}

function writeEntry(path: string, content: Files[string]): void {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  if (typeof content === 'string') writeFileSync(path, content);
  else if ('link' in content) symlinkSync(content.link, path);
  else {
    writeFileSync(path, content.program);
    chmodSync(path, 0o755);
  }
}
