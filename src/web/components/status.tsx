import type { RunStatus } from '#src/domain/runs/run-status.js';

const LABELS: Record<RunStatus, string> = {
  queued: 'queued',
  running: 'running',
  auto_retrying: 'auto-retrying',
  passed: 'passed',
  failed: 'failed',
  error: 'error',
  stopped: 'stopped',
  skipped: 'skipped',
};

/** A status in plain words. */
export function statusLabel(status: RunStatus): string {
  return LABELS[status];
}

/** A status as a badge: its word carries the meaning, the color only helps. */
export function Status({ status }: { status: RunStatus }) {
  return <span class={`status ${status}`}>{statusLabel(status)}</span>;
}
