/** What was done, by the action's name in the audit, in a person's words. What is not in it is shown by its name. */
const AUDIT_TEXTS: Record<string, string> = {
  'project.create': 'created the project',
  'project.edit': 'updated the project',
  'project.import': 'imported a project file',
  'project.remove': 'deleted the project',
  'test.create': 'created a test',
  'test.edit': 'updated a test',
  'test.archive': 'archived a test',
  'suite.create': 'created a suite',
  'suite.edit': 'updated a suite',
  'suite.archive': 'archived a suite',
  'schedule.create': 'created a schedule',
  'schedule.edit': 'updated a schedule',
  'schedule.archive': 'deleted a schedule',
  'testRun.start': 'started a test',
  'suiteRun.start': 'started a suite',
  'testRun.rerun': 'reran a test',
  'suiteRun.rerun': 'reran a suite',
  'testRun.stop': 'stopped a test run',
  'suiteRun.stop': 'stopped a suite run',
  'profile.create': 'created a variable set',
  'profile.change': 'updated a variable set',
  'profile.remove': 'deleted a variable set',
  'apiToken.create': 'created an API token',
  'apiToken.revoke': 'revoked an API token',
  'webhookToken.rotate': 'rotated the webhook token',
  'webhookToken.edit': 'updated a webhook token',
  'webhookToken.revoke': 'revoked a webhook token',
  'pool.create': 'created a pool',
  'pool.change': 'updated a pool',
  'pool.remove': 'deleted a pool',
  'limits.edit': 'updated the limits',
  'member.changeRole': 'changed the role of a member',
  'member.remove': 'removed a member',
  'member.leave': 'left the project',
  'invitation.create': 'created an invitation',
  'invitation.revoke': 'revoked an invitation',
  'invitation.accept': 'accepted an invitation',
  'user.create': 'created an account',
  'user.change': 'updated an account',
  'user.rename': 'changed their name',
  'user.changePassword': 'changed a password',
  'user.linkIdentity': 'linked an account to its sign-in provider',
  'session.start': 'signed in',
  'session.refuse': 'failed to sign in',
  'session.end': 'signed out',
};

/** An action of the audit in a person's words. */
export function auditText(action: string): string {
  return AUDIT_TEXTS[action] ?? action;
}

/** Every action that has words of its own, for filters. */
export const AUDIT_ACTIONS: readonly string[] = Object.keys(AUDIT_TEXTS);

/** The facts of an entry in one line: `fields: name, retentionDays; before: viewer`. */
export function auditDetails(details: Record<string, string | number | boolean | string[]> = {}): string {
  return Object.entries(details)
    .map(([name, value]) => `${words(name)}: ${Array.isArray(value) ? value.join(', ') || 'none' : shown(value)}`)
    .join('; ');
}

/** `keepOldForHours` → `keep old for hours` */
const words = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const shown = (value: string | number | boolean) =>
  typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
