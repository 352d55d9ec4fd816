/** What can be run, together called targets. */
export const TARGET_KINDS = ['test', 'suite'] as const;

export type TargetKind = (typeof TARGET_KINDS)[number];

/** What a project's file describes: its targets, and the schedules that run them. */
export type ProjectItemKind = TargetKind | 'schedule';
