import type { RunStatus } from '#src/domain/runs/run-status.js';
import type { Color, Output } from '#src/cli/output.js';

const COLORS: Record<RunStatus, Color> = {
  queued: 'dim',
  running: 'cyan',
  auto_retrying: 'yellow',
  passed: 'green',
  failed: 'red',
  error: 'red',
  stopped: 'yellow',
  skipped: 'dim',
};

/** A status in its color. */
export function paintStatus(output: Output, status: RunStatus, stream?: 'stdout' | 'stderr'): string {
  return output.paint(COLORS[status], status, stream);
}
