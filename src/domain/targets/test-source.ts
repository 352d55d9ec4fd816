import Joi from 'joi';
import { command, must, text } from './definition-fields.js';
import { problemOfFolder, problemOfGitUrl, problemOfRef } from './git-address.js';
import { problemOfGlobs } from './glob.js';
import { withinBounds } from './test-outputs.js';

/* The repository with a test's files, and the command that prepares them. */

export interface GitSource {
  /**
   * https://…, ssh://…, git@host:path; other schemes if the worker allows them. Variables `{{NAME}}` are allowed here, in
   * `ref` and in `path`, and required for a password: `https://user:{{TOKEN}}@host/…`.
   */
  url: string;
  /** Branch, tag or commit, in this order; absent: the remote's default branch. */
  ref?: string;
  /** Folder in the repository, used as working folder; absent: its root. */
  path?: string;
}

/** A command that prepares a test's files, such as `npm ci`. */
export interface SetupCommand {
  command: string[];
  /** Globs of the cache key files, such as `package-lock.json`; without any it always runs. */
  key: string[];
  /** Folders to cache for runs with the same key, such as `node_modules`. */
  keep: string[];
  timeoutMs: number;
}

export const LONGEST_SETUP_MS = 30 * 60_000;

/** Rejects a value with the problem that a rule reports. */
const keeping =
  (problemOf: (value: string) => string | undefined): Joi.CustomValidator<string> =>
  (value, helpers) => {
    const problem = problemOf(value);
    return problem === undefined ? value : helpers.error('source.problem', { problem });
  };

/** Like `must`, but a problem reported by a rule replaces the general message. */
const kept = (expected: string) => ({ ...must(expected), 'source.problem': '{{#label}} {{#problem}}' });

const url = text()
  .trim()
  .max(2000)
  .custom(keeping(problemOfGitUrl))
  .messages(kept('the URL of a repository, such as https://git.example.com/shop/tests.git'));
const ref = text()
  .trim()
  .max(255)
  .custom(keeping(problemOfRef))
  .messages(kept('a branch, tag or commit, such as main'));
const folder = text()
  .max(1000)
  .custom(keeping(problemOfFolder))
  .messages(kept('a folder in the repository, such as tests/e2e'));

export const git = Joi.object<GitSource>({ url: url.required(), ref, path: folder }).messages({
  'object.base': '{{#label}} must be a map with the fields url, ref, path',
  'object.unknown': '{{#label}} is not a field of git; the fields are url, ref, path',
});

const pathsBelow = (what: string, problemOf: (path: string) => string | undefined) =>
  Joi.array()
    .items(text().min(1).max(1000).custom(keeping(problemOf)).messages(kept(what)))
    .max(50)
    .messages(must(`a list of up to 50 entries, each ${what}`));
const keys = pathsBelow(
  'a path or glob below the working folder, such as package-lock.json',
  (path) => problemOfFolder(path) ?? problemOfGlobs(path),
)
  .custom(withinBounds)
  .messages({ 'glob.problem': '{{#label}} {{#problem}}' });
const folders = pathsBelow('a folder below the working folder, such as node_modules', problemOfFolder);

/** @param timeoutMs the timeout field in the format of the API or of project files */
export const setupWith = (timeoutMs: Joi.SchemaMap) =>
  Joi.object<SetupCommand>({
    command: command.required(),
    key: keys.default([]),
    keep: folders.default([]),
    ...timeoutMs,
  }).messages({
    'object.base': `{{#label}} must be a map with the fields command, key, keep, ${Object.keys(timeoutMs).join()}`,
    'object.unknown': `{{#label}} is not a field of setup; the fields are command, key, keep, ${Object.keys(timeoutMs).join()}`,
  });

export const setup = setupWith({
  timeoutMs: Joi.number()
    .strict()
    .integer()
    .min(1)
    .max(LONGEST_SETUP_MS)
    .default(10 * 60_000)
    .messages(must('a whole number from 1 to 1,800,000')),
});

/** Timeout for fetching the files of a test. */
export const LONGEST_FETCH_MS = 10 * 60_000;

/** Timeout for preparing a test's files, before the test's own timeout begins. */
export function preparationMsOf({ git: source, setup: command }: { git?: GitSource; setup?: SetupCommand }): number {
  return (source ? LONGEST_FETCH_MS : 0) + (command?.timeoutMs ?? 0);
}
