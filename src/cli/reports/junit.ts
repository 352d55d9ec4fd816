import { stripVTControlCharacters } from 'node:util';
import type { RunView } from '../api/shapes.js';

/** A test run with the end of its log, where it did not pass. */
export interface ReportedTest {
  run: RunView;
  log: string[];
}

/**
 * A run as JUnit XML: one `testsuite`, a `testcase` for each test run. A test that was stopped is an error, so that
 * nothing reads it as green.
 */
export function junitReport(run: RunView, tests: ReportedTest[]): string {
  const cases = tests.map(({ run: test, log }) => testCase(run, test, log));
  const problems: Outcome['tag'][] = tests.map(({ run: test }) => outcomeOf(test).tag);
  // A suite can end badly without a test that did: timed out, stopped, or not begun.
  if (run.status !== 'passed' && !problems.some((tag) => tag === 'failure' || tag === 'error')) {
    const whole = { ...run, status: run.status === 'skipped' ? 'error' : run.status } as RunView;
    cases.push(testCase(run, whole, []));
    problems.push(outcomeOf(whole).tag);
  }
  const many = (tag: string) => problems.filter((one) => one === tag).length;
  const attributes = {
    name: run.name,
    tests: cases.length,
    failures: many('failure'),
    errors: many('error'),
    skipped: many('skipped'),
    time: run.duration ?? 0,
    timestamp: run.started ?? run.queued,
    id: run.id,
  };
  const { tests: total, failures, errors, skipped, time } = attributes;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    open('testsuites', { name: 'Runhook', tests: total, failures, errors, skipped, time }),
    open('testsuite', attributes),
    '<properties>',
    ...Object.entries({ runId: run.id, status: run.status, url: run.webappUrl }).map(([name, value]) =>
      open('property', { name, value }, true),
    ),
    '</properties>',
    ...cases,
    '</testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase(suite: RunView, test: RunView, log: string[]): string {
  const attributes = { name: test.name, classname: suite.name, time: test.duration ?? 0 };
  const { tag, message } = outcomeOf(test);
  if (!tag) return open('testcase', attributes, true);
  const body = [test.webappUrl ?? '', ...log].filter(Boolean).map(text).join('\n');
  const problem = `${open(tag, { message, ...(tag === 'skipped' ? {} : { type: test.errorCode ?? test.status }) })}${body}</${tag}>`;
  return `${open('testcase', attributes)}${problem}</testcase>`;
}

interface Outcome {
  /** The element in the test case; none: it passed. */
  tag?: 'failure' | 'error' | 'skipped';
  message: string;
}

function outcomeOf({ status, errorMessage, errorCode, reason }: RunView): Outcome {
  const message = [status, errorCode, errorMessage ?? reason].filter(Boolean).join(': ');
  if (status === 'passed') return { message };
  return { tag: status === 'failed' ? 'failure' : status === 'skipped' ? 'skipped' : 'error', message };
}

function open(tag: string, attributes: Record<string, string | number>, isEmpty = false): string {
  const given = Object.entries(attributes).map(([name, value]) => ` ${name}="${attribute(String(value))}"`);
  return `<${tag}${given.join('')}${isEmpty ? '/>' : '>'}`;
}

/** Text for XML 1.0: without terminal escapes and without the characters that it cannot hold even as references. */
function text(raw: string): string {
  return stripVTControlCharacters(raw)
    .replace(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

function attribute(raw: string): string {
  return text(raw)
    .replaceAll('"', '&quot;')
    .replace(/[\t\n\r]/g, (space) => `&#${space.charCodeAt(0)};`);
}
