import type { TestDefinition } from '#src/domain/targets/definitions.js';
import type { GitSource, SetupCommand } from '#src/domain/targets/test-source.js';
import { RUNNER_TEXTS } from '#src/web/texts/runner-texts.js';
import { formatCommand, formatCount, formatMs } from '#src/web/texts/format.js';
import { Facts } from '#src/web/components/facts.js';
import { BrowserSteps } from './browser-steps.js';
import { HttpRequests } from './http-requests.js';

/** What a test does and how it is run, in a person's words. Values of variables are not shown. */
export function TestDefinitionFacts({ definition }: { definition: TestDefinition }) {
  return (
    <>
      <Action definition={definition} />
      <Facts
        of={[
          ['Kind', RUNNER_TEXTS[definition.runner].name],
          ['Base URL', 'baseUrl' in definition ? definition.baseUrl : undefined],
          ...browserFacts(definition),
          ...httpFacts(definition),
          ...sourceFacts(definition),
          ...outputFacts(definition),
          ...runFacts(definition),
        ]}
      />
    </>
  );
}

type FactList = Parameters<typeof Facts>[0]['of'];

function Action({ definition }: { definition: TestDefinition }) {
  if (definition.runner === 'browser') return <BrowserSteps {...definition} />;
  if (definition.runner === 'http') return <HttpRequests {...definition} />;
  return (
    <pre aria-label="Command" tabindex={0}>
      <code>{formatCommand(definition.command)}</code>
    </pre>
  );
}

function browserFacts(definition: TestDefinition): FactList {
  if (definition.runner !== 'browser') return [];
  const { browser, device, viewport, locale, timezone, screenshots, trace, stepTimeout } = definition;
  return [
    ['Browser', browser],
    ['Device', device],
    ['Window', viewport && `${viewport.width} × ${viewport.height} px`],
    ['Language', locale],
    ['Time zone', timezone],
    ['Pictures', screenshots && KEEP[screenshots]],
    ['Trace', trace && KEEP[trace]],
    ['Step timeout', stepTimeout],
  ];
}

const KEEP = { failure: 'when a step fails', always: 'of every step', never: 'never' };

function httpFacts(definition: TestDefinition): FactList {
  if (definition.runner !== 'http') return [];
  const { headers, cookies, insecure } = definition;
  return [
    // Their values may name secrets.
    ['Request headers', headers && <code>{Object.keys(headers).join(', ')}</code>],
    ['Cookies', cookies === 'none' ? 'not kept' : undefined],
    ['Certificates', insecure ? 'not verified' : undefined],
  ];
}

function sourceFacts({ cwd, git, setup }: TestDefinition): FactList {
  return [
    ['Working folder', cwd === undefined ? undefined : <code>{cwd}</code>],
    ['Files from', git && <FromGit {...git} />],
    ['Setup', setup && <Setup {...setup} />],
  ];
}

function FromGit({ url, ref, path }: GitSource) {
  return (
    <>
      the repository <code>{url}</code>, {ref === undefined ? 'its default branch' : <code>{ref}</code>}
      {path === undefined ? null : (
        <>
          , folder <code>{path}</code>
        </>
      )}
    </>
  );
}

function Setup({ command, key, keep, timeoutMs }: SetupCommand) {
  return (
    <>
      <code>{formatCommand(command)}</code>, up to {formatMs(timeoutMs)}
      {key.length === 0 ? ', every time' : `, when ${key.join(', ')} changed`}
      {keep.length === 0 ? null : `; ${keep.join(', ')} is kept`}
    </>
  );
}

function outputFacts(definition: TestDefinition): FactList {
  const { artifacts, limits } = definition;
  const junit = definition.runner === 'command' ? definition.results?.junit : undefined;
  return [
    ['JUnit results', junit && <code>{junit}</code>],
    ['Artifacts', artifacts && <code>{artifacts.join(', ')}</code>],
    ['Limits', limits && limitWords(limits)],
  ];
}

function limitWords({ memoryMiB, processes, outputMiB, diskMiB }: NonNullable<TestDefinition['limits']>): string {
  return [
    memoryMiB === undefined ? '' : `memory ${memoryMiB} MiB`,
    processes === undefined ? '' : `${processes} processes`,
    outputMiB === undefined ? '' : `output ${outputMiB} MiB`,
    diskMiB === undefined ? '' : `disk ${diskMiB} MiB`,
  ]
    .filter(Boolean)
    .join(', ');
}

function runFacts({ env, timeoutMs, retries, pool }: TestDefinition): FactList {
  const names = Object.keys(env);
  return [
    ['Attempt timeout', formatMs(timeoutMs)],
    ['Retries', retries === 0 ? 'None' : `Up to ${formatCount(retries, 'more attempt')}`],
    [
      'Runs on',
      <>
        workers of the pool <code>{pool}</code>
      </>,
    ],
    // Their values are shown to those who edit them.
    ['Variables', names.length > 0 ? <code>{names.join(', ')}</code> : undefined],
  ];
}
