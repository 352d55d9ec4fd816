import { expect } from 'chai';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { logToStderr } from '#tools/stack/log.js';
import { onPath } from '#tools/stack/servers/on-path.js';
import type { CaseCounts } from '#src/domain/runs/test-case.js';
import type { AttemptVerdict } from '#src/domain/runs/run.js';
import type { ImportedProject } from '#src/services/projects/import-project.js';
import { findChromium } from '#test/support/chromium/find-chromium.js';
import { makeGitRepository, type GitRepository } from '#test/support/git/git-repository.js';
import { endedRun, page, startStack, trigger, webhookUrl, type TestStack } from '#test/support/stack.js';

const TOOLS = fileURLToPath(new URL('../../fixtures/tools', import.meta.url));
/** Settings of this machine's package managers besides their files. */
const PASSED_ON =
  /^(PIP_\w+|npm_config_(registry|cafile)|GO(PROXY|FLAGS|NOSUMDB|PRIVATE|NOSUMCHECK)|MAVEN_\w+|JAVA_HOME)$/;

/** A public tool with a test, as a user would write it. */
interface Tool {
  programs: string[];
  definition: object;
  /** The file with the bug, and its fix. */
  fix: [file: string, content: string];
  artifacts: string[];
}

const tools: Record<string, Tool> = {
  'Playwright Test': {
    programs: ['npm'],
    definition: {
      git: { path: 'tools/playwright' },
      setup: { command: ['npm', 'ci'], key: ['package-lock.json'], keep: ['node_modules'] },
      command: ['npx', 'playwright', 'test'],
      results: { junit: 'out/junit.xml' },
      artifacts: ['report/**', 'test-results/**/*.png'],
    },
    fix: ['playwright/price.mjs', 'export const withDiscount = (cents) => (cents * 9) / 10;\n'],
    artifacts: ['report/index.html', 'test-results/cart-takes-the-discount/test-failed-1.png'],
  },
  mocha: {
    programs: ['npm'],
    definition: {
      git: { path: 'tools/mocha' },
      setup: { command: ['npm', 'ci'], key: ['package-lock.json'], keep: ['node_modules'] },
      command: ['npx', 'mocha', '--reporter', 'xunit', '--reporter-option', 'output=out/junit.xml', 'cart.spec.cjs'],
      results: { junit: 'out/*.xml' },
      artifacts: ['out/*.xml'],
    },
    fix: ['mocha/price.cjs', 'exports.withDiscount = (cents) => (cents * 9) / 10;\n'],
    artifacts: ['out/junit.xml'],
  },
  pytest: {
    programs: ['python3', 'pip'],
    definition: {
      git: { path: 'tools/pytest' },
      setup: {
        command: ['pip', 'install', '--quiet', '--target', 'deps', '--requirement', 'requirements.txt'],
        key: ['requirements.txt'],
        keep: ['deps'],
      },
      command: ['python3', '-m', 'pytest', '--junitxml=out/junit.xml', 'test_cart.py'],
      env: { PYTHONPATH: 'deps' },
      results: { junit: 'out/junit.xml' },
      artifacts: ['out/**'],
    },
    fix: ['pytest/price.py', 'def with_discount(cents):\n    return cents * 9 // 10\n'],
    artifacts: ['out/junit.xml'],
  },
  'go test': {
    programs: ['go'],
    definition: {
      git: { path: 'tools/go' },
      setup: {
        command: ['sh', '-c', 'GOBIN="$PWD/bin" go install github.com/jstemmer/go-junit-report/v2@v2.1.0'],
        key: ['go.mod'],
        keep: ['bin'],
      },
      command: ['sh', '-c', 'go test -v ./... 2>&1 | bin/go-junit-report -set-exit-code -out junit.xml'],
      results: { junit: 'junit.xml' },
      artifacts: ['junit.xml'],
    },
    fix: ['go/price.go', 'package cart\n\nfunc WithDiscount(cents int) int {\n\treturn cents * 9 / 10\n}\n'],
    artifacts: ['junit.xml'],
  },
  'JUnit by Maven': {
    programs: ['mvn', 'java'],
    definition: {
      git: { path: 'tools/maven' },
      command: ['mvn', '--batch-mode', '--quiet', 'test'],
      results: { junit: 'target/surefire-reports/*.xml' },
      artifacts: ['target/surefire-reports/*.txt'],
    },
    fix: [
      'maven/src/main/java/shop/Price.java',
      'package shop;\n\npublic class Price {\n  public static int withDiscount(int cents) {\n    return cents * 9 / 10;\n  }\n}\n',
    ],
    artifacts: ['target/surefire-reports/shop.CartTest.txt'],
  },
};

describe('public tools, from a git repository', () => {
  let stack: TestStack;
  let project: ImportedProject;
  let repository: GitRepository;
  let faulty: string;
  let fixed: string;

  before(async function () {
    this.timeout(120_000);
    const [browser] = await Promise.all([
      findChromium(logToStderr),
      startStack({ workerEnv: { RUNHOOK_GIT_PROTOCOLS: 'file' } }).then((started) => (stack = started)),
    ]);
    repository = makeGitRepository(join(stack.folder, 'repository'));
    cpSync(TOOLS, join(repository.folder, 'tools'), { recursive: true });
    faulty = repository.commit({});
    repository.git('switch', '--quiet', '--create', 'fixed');
    fixed = repository.commit(
      Object.fromEntries(Object.values(tools).map(({ fix: [file, content] }) => [`tools/${file}`, content])),
    );
    const passedOn = Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED_ON.test(name)));
    const env = { ...passedOn, ...browser.env, CHROMIUM_PATH: browser.path };
    project = await stack.importText(JSON.stringify({ project: 'Tools', tests: testsOf(repository.url, env) }));
  });
  after(() => stack?.stop());

  async function ended(name: string) {
    const { id } = await trigger(webhookUrl(stack, project, 'tests', name));
    const run = await endedRun(stack, id, 150_000);
    const [cases, files, log] = await Promise.all([
      stack.collections.runCases.find({ runId: id }).sort({ number: 1 }).toArray(),
      stack.collections.artifactFiles.find({ 'metadata.runId': id }).toArray(),
      stack.collections.runLogs.find({ runId: id }).sort({ seq: 1 }).toArray(),
    ]);
    const text = log.map((line) => line.text).join('\n');
    const verdict: AttemptVerdict = run.attempts[0]!.verdict!;
    return { id, verdict, cases, files: files.map(({ filename }) => filename), text };
  }

  const counts = (some: Partial<CaseCounts>): CaseCounts => ({ passed: 0, failed: 0, error: 0, skipped: 0, ...some });

  for (const [name, { programs, artifacts, definition }] of Object.entries(tools))
    it(`${name}: verdict, cases and files of a commit with a bug, and of one without`, async function () {
      this.timeout(320_000);
      const missing = programs.find((program) => !onPath(program, process.env));
      if (missing) {
        console.error(`  ${name} is SKIPPED: there is no ${missing} on PATH.`);
        return this.skip();
      }
      const failed = await ended(`${name}, faulty`);
      expect(failed.verdict, failed.text).to.include({ status: 'failed', commit: faulty });
      expect(failed.verdict.cases, failed.text).to.deep.equal(counts({ passed: 1, failed: 1 }));
      const broken = failed.cases.find(({ status }) => status === 'failed')!;
      expect(broken.name).to.match(/takes.?the.?discount/i);
      expect(`${broken.message} ${broken.details}`).to.match(/90/);
      expect(failed.files).to.include.members(artifacts);
      const shown = await page(stack, `${stack.baseUrl}/runs/${failed.id}`);
      expect(shown).to.match(/takes.?the.?discount/i);

      const passed = await ended(`${name}, fixed`);
      expect(passed.verdict, passed.text).to.include({ status: 'passed', exitCode: 0, commit: fixed });
      expect(passed.verdict.cases).to.deep.equal(counts({ passed: 2 }));
      if ('setup' in definition) {
        expect(failed.text).to.match(/— setup started: .*[\s\S]*— setup cached/);
        expect(passed.text)
          .to.match(/— setup restored from cache/)
          .and.not.match(/— setup started/);
      }
    });
});

/** Each tool's test on either branch. */
function testsOf(url: string, env: Record<string, string | undefined>): object[] {
  return Object.entries(tools).flatMap(([name, { definition }]) => {
    const { git, env: own, ...rest } = definition as { git: object; env?: object };
    return ['main', 'fixed'].map((ref) => ({
      name: `${name}, ${ref === 'main' ? 'faulty' : 'fixed'}`,
      git: { url, ref, ...git },
      ...rest,
      env: { ...env, ...own },
      timeout: '2m',
    }));
  });
}
