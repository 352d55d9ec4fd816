import type { ComponentChildren } from 'preact';

/** How something is: its word says it, the colour only helps. */
export function State({ level, children }: { level: 'good' | 'warn' | 'bad' | 'still'; children: ComponentChildren }) {
  const colours = { good: 'passed', warn: 'error', bad: 'failed', still: 'skipped' };
  return <span class={`status ${colours[level]}`}>{children}</span>;
}
