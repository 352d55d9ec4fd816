import type { RequestRoute } from '@hapi/hapi';
import type { Outcome } from './walk.js';

const MARKS: Record<string, string> = { opened: '✓', 'sign-in': '401' };

/** The page docs/rights.md. */
export function rightsPage(askers: string[], rows: { route: RequestRoute; outcomes: Outcome[] }[]): string {
  const cells = rows.map(({ route, outcomes }) => [
    `\`${route.method.toUpperCase()} ${route.path}\``,
    rightOf(route),
    ...outcomes.map((outcome) =>
      outcome === 'opened' && asksLater(route) ? '(✓)' : (MARKS[outcome] ?? String(outcome)),
    ),
  ]);
  const line = (values: string[]) => `| ${values.join(' | ')} |`;
  const head = ['route', 'right', ...askers];
  return `# Who may call what

Made from the routes of the server by \`npm run docs:rights\`; a test fails when they differ. The rights are in [src/domain/rights.ts](../src/domain/rights.ts), they are checked in [src/server/plugins/access.ts](../src/server/plugins/access.ts).

✓: allowed. (✓): the project is in the body, and the service asks for the right. 401: sign in first (a browser is led to the sign-in page). 403: not with this role, scope or credential. 404: the same answer as for what does not exist. "public": open to everybody, or guarded by a token in its address.

Columns: viewer, editor, owner, admin and owner elsewhere are people with a session; the owner elsewhere is nobody in this project. The owner's and the admin's tokens are personal API tokens with the scopes \`read\`, \`run\` and \`edit\`, without and with \`admin\`. The project token (all scopes that a project's token can have) and the read-only one belong to the project. Members, invitations, tokens and users are managed with a session or with the scope \`admin\`, which only a session grants: a token cannot make a credential that outlives it. What is not about one project (the right \`self.read\`) shows only what belongs to the caller's own. In a removed project every route is a 404, except \`project.remove\`, the import that restores it, and for admins its runs (\`runs.read\`, \`runs.stop\`).

${line(head)}
${line(head.map(() => '---'))}
${cells.map(line).join('\n')}
`;
}

/** Whether the project is named in a body that only the service understands: it asks for the right then. */
function asksLater({ settings }: RequestRoute): boolean {
  return 'askedBy' in Object(settings.app?.access);
}

function rightOf({ settings }: RequestRoute): string {
  const access = settings.app?.access;
  if (access === undefined) return '?';
  if (typeof access === 'string') return 'public';
  // Its service asks, which knows the project: see the tests of the import.
  if ('askedBy' in access) return `${access.right}, behind the door`;
  return access.right;
}
