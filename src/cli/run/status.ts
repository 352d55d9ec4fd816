import type { RunStatus } from '#src/domain/runs/run-status.js';
import type { Color, Voice } from '#src/cli/output-style.js';

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
export function paintStatus(voice: Voice, status: RunStatus, stream?: 'stdout' | 'stderr'): string {
  return voice.paint(COLORS[status], status, stream);
}
