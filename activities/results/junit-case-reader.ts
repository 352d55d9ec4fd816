import type { CaseStatus } from '#src/domain/runs/test-case.js';
import { parseSeconds } from './junit-times.js';

/**
 * Maximum length of a text, in characters: more than is saved, so that secrets are masked before the text is truncated.
 */
const MAX_TEXT = 192 * 1024;

/** A test case as read from a file. */
export interface JunitCase {
  group: string;
  name: string;
  status: CaseStatus;
  durationMs?: number | undefined;
  message?: string | undefined;
  details?: string | undefined;
  output?: string | undefined;
}

type Attributes = Record<string, string>;

/** Status by child element of a case. */
const STATUS_OF_ELEMENT: Record<string, CaseStatus> = { skipped: 'skipped', failure: 'failed', error: 'error' };
/** Later statuses take precedence. */
const RANK: readonly CaseStatus[] = ['passed', 'skipped', 'failed', 'error'];
/** Maven: failed tries of a case, before it passed or after it failed. */
const TRIES = ['flakyFailure', 'flakyError', 'rerunFailure', 'rerunError'];
const NOT_RUN = ['notrun', 'skipped', 'disabled', 'suppressed'];

/** A case being read. */
interface OpenCase {
  attributes: Attributes;
  status: CaseStatus;
  message: string;
  details: string;
  output: string;
  tries: number;
}

/** Makes cases of the elements of a JUnit file, in their order. */
export function createCaseReader(onCase: (found: JunitCase) => void) {
  const suites: string[] = [];
  let current: OpenCase | undefined;
  /** Open elements within the case. Only the texts of its direct children count. */
  let within: string[] = [];

  function openInCase(one: OpenCase, name: string, { message = '', type = '' }: Attributes): void {
    within.push(name);
    if (within.length > 1) return;
    const status = STATUS_OF_ELEMENT[name];
    if (status && RANK.indexOf(status) > RANK.indexOf(one.status)) one.status = status;
    if (status) one.message ||= message || type;
    // Separates the details of several failures.
    if (status && one.details) one.details = appended(one.details, '\n\n');
    if (TRIES.includes(name)) one.tries++;
  }

  return {
    open(name: string, attributes: Attributes): void {
      if (current) openInCase(current, name, attributes);
      else if (name === 'testsuite') suites.push(attributes['name'] ?? '');
      else if (name === 'testcase')
        current = { attributes, status: firstStatus(attributes), message: '', details: '', output: '', tries: 0 };
    },
    text(text: string): void {
      const [name, ...deeper] = within;
      if (!current || name === undefined || deeper.length > 0) return;
      if (name in STATUS_OF_ELEMENT) current.details = appended(current.details, text);
      if (name === 'system-out' || name === 'system-err') current.output = appended(current.output, text);
    },
    close(name: string): void {
      if (within.length > 0) within.pop();
      else if (current) {
        onCase(caseOf(current, suites));
        current = undefined;
        within = [];
      } else if (name === 'testsuite') suites.pop();
    },
  };
}

function firstStatus({ status = '', result = '' }: Attributes): CaseStatus {
  return [status, result].some((one) => NOT_RUN.includes(one.toLowerCase())) ? 'skipped' : 'passed';
}

function appended(text: string, more: string): string {
  return text.length >= MAX_TEXT ? text : text + more.slice(0, MAX_TEXT - text.length);
}

function caseOf({ attributes, status, message, details, output, tries }: OpenCase, suites: string[]): JunitCase {
  const { name = '', classname = '' } = attributes;
  const durationMs = parseSeconds(attributes['time']);
  const suitePath = suites.filter(Boolean).join(' › ');
  // Some tools put the whole text into the message.
  const fullText = details.trim() === '' && message.trim().includes('\n') ? message : details;
  const line = firstLine(message) || firstLine(details) || triesText(status, tries);
  return {
    // Some tools repeat the name in place of a class.
    group: classname !== '' && classname !== name ? classname : suitePath || classname,
    name: name || '(no name)',
    status,
    durationMs,
    message: line || undefined,
    details: fullText.trim() ? fullText : undefined,
    output: output.trim() ? output : undefined,
  };
}

function firstLine(text: string): string {
  return /\S[^\r\n]*/.exec(text.slice(0, MAX_TEXT))?.[0].trimEnd() ?? '';
}

function triesText(status: CaseStatus, tries: number): string {
  if (tries === 0 || status !== 'passed') return '';
  return `Passed after ${tries} failed ${tries === 1 ? 'try' : 'tries'}`;
}
