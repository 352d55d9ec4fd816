/** What was done, by the action's name in the audit, in a person's words. What is not in it is shown by its name. */
const AUDIT_TEXTS: Record<string, string> = {
  'project.create': 'made the project',
  'project.edit': 'changed the project',
  'project.import': 'imported a project file',
  'project.remove': 'removed the project',
  'test.create': 'made a test',
  'test.edit': 'changed a test',
  'test.archive': 'archived a test',
  'suite.create': 'made a suite',
  'suite.edit': 'changed a suite',
  'suite.archive': 'archived a suite',
  'schedule.create': 'made a schedule',
  'schedule.edit': 'changed a schedule',
  'schedule.archive': 'removed a schedule',
  'testRun.start': 'started a test',
  'suiteRun.start': 'started a suite',
  'testRun.rerun': 'ran a test again',
  'suiteRun.rerun': 'ran a suite again',
  'testRun.stop': 'stopped a test run',
  'suiteRun.stop': 'stopped a suite run',
  'profile.create': 'made a profile of variables',
  'profile.change': 'changed a profile of variables',
  'profile.remove': 'removed a profile of variables',
  'apiToken.create': 'made an API token',
  'apiToken.revoke': 'revoked an API token',
  'webhookToken.rotate': 'rotated the webhook token',
  'webhookToken.edit': 'changed a webhook token',
  'webhookToken.revoke': 'revoked a webhook token',
  'pool.create': 'created a pool',
  'pool.change': 'changed a pool',
  'pool.remove': 'removed a pool',
  'limits.edit': 'changed the limits',
  'member.changeRole': 'changed the role of a member',
  'member.remove': 'removed a member',
  'member.leave': 'left the project',
  'invitation.create': 'made an invitation',
  'invitation.revoke': 'revoked an invitation',
  'invitation.accept': 'took an invitation',
  'user.create': 'made an account',
  'user.change': 'changed an account',
  'user.rename': 'changed his or her name',
  'user.changePassword': 'changed a password',
  'user.linkIdentity': 'joined an account to its sign-in provider',
  'session.start': 'signed in',
  'session.refuse': 'could not sign in',
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
