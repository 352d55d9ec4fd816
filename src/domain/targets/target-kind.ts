/** What can be run, together called targets. */
export const TARGET_KINDS = ['test', 'suite'] as const;

export type TargetKind = (typeof TARGET_KINDS)[number];

export type ProjectItemKind = TargetKind | 'schedule';
