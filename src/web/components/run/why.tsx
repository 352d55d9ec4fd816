import type { ListedRun } from '#src/domain/runs/run.js';

const LONGEST = 200;

/** Why a run is as it is, in a line: its error, what its last attempt said, what it waits for. */
export function Why({ run }: { run: ListedRun }) {
  const { status, errorCode, errorMessage, reason } = run;
  if (status === 'passed' || status === 'running') return <>–</>;
  const verdict = run.kind === 'test' ? run.attempts.at(-1)?.verdict : undefined;
  const code = errorCode ?? verdict?.errorCode;
  const waitsOrSkipped = status === 'queued' || status === 'skipped' ? reason : undefined;
  const text = waitsOrSkipped ?? errorMessage ?? verdict?.errorMessage ?? exitOf(verdict?.exitCode);
  if (code === undefined && text === undefined) return <>–</>;
  return (
    <>
      {code ? <code>{code}</code> : null} {firstLine(text)}
    </>
  );
}

const exitOf = (exitCode: number | undefined) => (exitCode === undefined ? undefined : `Exit code ${exitCode}`);

function firstLine(text = ''): string {
  const line = text.trim().split('\n', 1)[0]!;
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
