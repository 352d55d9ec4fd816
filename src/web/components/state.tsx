import type { ComponentChildren } from 'preact';

/** A state as a badge: its word carries the meaning, the color only helps. */
export function State({ level, children }: { level: 'good' | 'warn' | 'bad' | 'still'; children: ComponentChildren }) {
  const colors = { good: 'passed', warn: 'error', bad: 'failed', still: 'skipped' };
  return <span class={`status ${colors[level]}`}>{children}</span>;
}
