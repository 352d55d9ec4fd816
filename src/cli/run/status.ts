import type { RunStatus } from '../../domain/run-status.js';
import type { Colour, Voice } from '../voice.js';

const COLOURS: Record<RunStatus, Colour> = {
  queued: 'dim',
  running: 'cyan',
  auto_retrying: 'yellow',
  passed: 'green',
  failed: 'red',
  error: 'red',
  stopped: 'yellow',
  skipped: 'dim',
};

/** A status in its colour. */
export function paintStatus(voice: Voice, status: RunStatus, stream?: 'stdout' | 'stderr'): string {
  return voice.paint(COLOURS[status], status, stream);
}
