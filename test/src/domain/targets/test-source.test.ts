import { expect } from 'chai';
import { newTest } from '#src/domain/targets/definition-schemas.js';
import { parseProjectFile } from '#src/domain/project-file/project-file.js';
import { ProjectFileError } from '#src/domain/project-file/project-file-error.js';
import { preparationMsOf } from '#src/domain/targets/test-source.js';

const problemsOf = (more: object) =>
  newTest
    .validate({ name: 'T', command: ['true'], ...more }, { abortEarly: false, errors: { wrap: { label: false } } })
    .error?.details.map(({ message }) => message)
    .join('; ');

describe('the source of a test', () => {
  describe('git.url', () => {
    for (const url of [
      'https://git.example.com/shop/tests.git',
      'https://git.example.com:8443/shop/tests',
      'https://ci:{{GIT_TOKEN}}@git.example.com/shop/tests.git',
      'https://{{ GIT_TOKEN }}@git.example.com/shop/tests.git',
      'ssh://git@git.example.com:2222/shop/tests.git',
      'git@git.example.com:shop/tests.git',
      'git.example.com:shop/tests.git',
      'file:///srv/tests.git',
      '{{REPOSITORY}}',
      'https://{{HOST}}/shop.git',
    ])
      it(`accepts ${url}`, () => expect(problemsOf({ git: { url } })).to.equal(undefined));

    const refused: [url: string, why: RegExp][] = [
      ['--upload-pack=id', /git.url must not start with "-"/],
      ['-oProxyCommand=id@host:x', /git.url must not start with "-"/],
      ['ext::sh -c id', /spaces/],
      ['ext::id', /git.url must not use a remote helper/],
      ['fd::17', /remote helper/],
      ['https://a b/c', /spaces/],
      ['https://host/a\tb', /spaces or control/],
      ['javascript://x/y', /git.url must start with one of https:\/\//],
      ['ssh://-oProxyCommand=id/x', /host that starts with "-"/],
      ['ssh://ci:pass@host/x', /git.url must not contain a password/],
      ['https://ci:hunter22@host/x.git', /git.url must not contain a password/],
      ['https://host', /git.url must have a path/],
      ['https:///x', /must have a host/],
      ['file://host/srv/x', /three slashes/],
      ['/srv/tests', /git.url must be the URL of a repository/],
      ['host:-x', /git.url must be the URL of a repository/],
      ['C:\\tests', /git.url must be the URL/],
      ['../tests', /git.url must be the URL of a repository/],
    ];
    for (const [url, why] of refused)
      it(`rejects ${JSON.stringify(url)}`, () => expect(problemsOf({ git: { url } })).to.match(why));

    it('does not show passwords in messages', () =>
      expect(problemsOf({ git: { url: 'https://ci:hunter22@host/x.git' } })).not.to.include('hunter22'));
  });

  const url = 'https://git.example.com/shop/tests.git';
  for (const ref of ['main', 'feature/list', 'v1.2', 'refs/pull/7/head', 'ab12cd3', '{{BRANCH}}', 'release-{{ N }}'])
    it(`git.ref accepts ${ref}`, () => expect(problemsOf({ git: { url, ref } })).to.equal(undefined));
  for (const ref of [
    '-f',
    '--x',
    'a:b',
    'main:refs/x',
    'a b',
    'a..b',
    'a~1',
    'a^',
    'a*',
    'a?',
    '@{1}',
    '@',
    '/a',
    'a/',
    'a.lock',
    '',
  ])
    it(`git.ref rejects ${JSON.stringify(ref)}`, () =>
      expect(problemsOf({ git: { url, ref } })).to.match(/git.ref must be/));
  for (const path of ['e2e', 'a/b.c', '.', 'a/{{PART}}'])
    it(`git.path accepts ${path}`, () => expect(problemsOf({ git: { url, path } })).to.equal(undefined));
  for (const path of ['/etc', '../x', 'a/../../x', '-x', '.git', 'a/.GIT/hooks', 'a\nb'])
    it(`git.path rejects ${JSON.stringify(path)}`, () =>
      expect(problemsOf({ git: { url, path } })).to.match(/git.path must/));

  it('setup.key and setup.keep must be below the working folder', () => {
    const setup = { command: ['npm', 'ci'], key: ['../x', '(a+)+b'], keep: ['/etc'] };
    const problems = problemsOf({ git: { url }, setup });
    expect(problems).to.match(/setup.key\[0\] must not contain "\.\."/);
    expect(problems).to.match(/setup.key\[1\] must not contain groups/);
    expect(problems).to.match(/setup.keep\[0\] must be a relative path/);
  });

  it('reports problems in a project file with their line', () => {
    const file = (address: string) =>
      `project: P\ntests:\n  - name: T\n    command: [x]\n    git:\n      url: ${address}\n`;
    const { tests } = parseProjectFile(file(url), { fileName: 'p.yaml' });
    expect(tests[0]!.definition).to.deep.include({ git: { url } });
    expect(() => parseProjectFile(file('ext::id'), { fileName: 'p.yaml' })).to.throw(
      ProjectFileError,
      /6.*remote helper/s,
    );
  });

  it('has a timeout of its own', () => {
    const setup = { command: ['npm', 'ci'], key: [], keep: [], timeoutMs: 60_000 };
    expect(preparationMsOf({})).to.equal(0);
    expect(preparationMsOf({ setup })).to.equal(60_000);
    expect(preparationMsOf({ git: { url }, setup })).to.equal(660_000);
  });
});
