import type { CaseStatus } from '#src/domain/runs/test-case.js';
import { parseSeconds } from './junit-times.js';

/** Of one text, in characters: more than is kept of it, so that a secret at the cut is masked before it is cut. */
const MAX_TEXT = 192 * 1024;

/** A case as its file has it. */
export interface JunitCase {
  group: string;
  name: string;
  status: CaseStatus;
  durationMs?: number;
  message?: string;
  details?: string;
  output?: string;
}

type Attributes = Record<string, string>;

/** What an element in a case says of its status; the later of this list outranks. */
const SAYS: Record<string, CaseStatus> = { skipped: 'skipped', failure: 'failed', error: 'error' };
const RANK: readonly CaseStatus[] = ['passed', 'skipped', 'failed', 'error'];
/** Maven's: tries of a case before the one that counts, and after a failure. */
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
  /** Elements open within the case: its texts are those of its children. */
  let within: string[] = [];

  function openInCase(one: OpenCase, name: string, { message = '', type = '' }: Attributes): void {
    within.push(name);
    if (within.length > 1) return;
    const says = SAYS[name];
    if (says && RANK.indexOf(says) > RANK.indexOf(one.status)) one.status = says;
    if (says) one.message ||= message || type;
    // Those of a second failure follow the first one's.
    if (says && one.details) one.details = appended(one.details, '\n\n');
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
      if (name in SAYS) current.details = appended(current.details, text);
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
  const around = suites.filter(Boolean).join(' › ');
  // What is told in one line, and what it was told in.
  const whole = details.trim() === '' && message.trim().includes('\n') ? message : details;
  const line = firstLine(message) || firstLine(details) || triesText(status, tries);
  return {
    // Some tools repeat the name in place of a class.
    group: classname !== '' && classname !== name ? classname : around || classname,
    name: name || '(no name)',
    status,
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(line ? { message: line } : {}),
    ...(whole.trim() ? { details: whole } : {}),
    ...(output.trim() ? { output } : {}),
  };
}

function firstLine(text: string): string {
  return /\S[^\r\n]*/.exec(text.slice(0, MAX_TEXT))?.[0].trimEnd() ?? '';
}

function triesText(status: CaseStatus, tries: number): string {
  if (tries === 0 || status !== 'passed') return '';
  return `Passed after ${tries} failed ${tries === 1 ? 'try' : 'tries'}`;
}
