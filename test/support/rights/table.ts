import type { RequestRoute } from '@hapi/hapi';
import type { Outcome } from './walk.js';

const MARKS: Record<string, string> = { opened: '✓', 'sign-in': '401' };

/** The page docs/rights.md. */
export function rightsPage(callers: string[], rows: { route: RequestRoute; outcomes: Outcome[] }[]): string {
  const cells = rows.map(({ route, outcomes }) => [
    `\`${route.method.toUpperCase()} ${route.path}\``,
    rightOf(route),
    ...outcomes.map((outcome) =>
      outcome === 'opened' && asksLater(route) ? '(✓)' : (MARKS[outcome] ?? String(outcome)),
    ),
  ]);
  const line = (values: string[]) => `| ${values.join(' | ')} |`;
  const head = ['route', 'right', ...callers];
  return `# Rights

Who can call each route. \`npm run docs:rights\` generates this page from the routes of the server; a test fails when it is stale. [src/domain/people/rights.ts](../src/domain/people/rights.ts) defines the rights, [src/server/plugins/access.ts](../src/server/plugins/access.ts) checks them. [People and roles](people.md) explains roles and scopes.

| Mark | Meaning |
|---|---|
| ✓ | Allowed |
| (✓) | The project is in the body; the service checks the right |
| 401 | Sign in first (browsers are redirected to the sign-in page) |
| 403 | Not with this role, scope or credential |
| 404 | The same response as for a missing resource |
| public | Open to everyone, or protected by a token in the path |

- Viewer, editor, owner, admin and owner elsewhere are people with a session; the owner elsewhere is not a member of this project.
- The tokens of the owner and the admin are personal API tokens with the scopes \`read\`, \`run\` and \`edit\`, without and with \`admin\`. The project token (all scopes that a project's token can have) and the read-only token belong to the project.
- Members, invitations, tokens and users are managed with a session or with the scope \`admin\`, which only a session grants: a token cannot create a credential that outlives it.
- Routes that do not concern one project (the right \`self.read\`) return only what belongs to the caller.
- In a deleted project, every route returns 404, except \`project.remove\`, the import that restores it, and for admins its runs (\`runs.read\`, \`runs.stop\`).

${line(head)}
${line(head.map(() => '---'))}
${cells.map(line).join('\n')}
`;
}

/** Whether the project is part of a body that only the service parses, which then checks the right. */
function asksLater({ settings }: RequestRoute): boolean {
  return 'askedBy' in Object(settings.app?.access);
}

function rightOf({ settings }: RequestRoute): string {
  const access = settings.app?.access;
  if (access === undefined) return '?';
  if (typeof access === 'string') return 'public';
  // The service checks it, because only it knows the project: see the tests of the import.
  if ('askedBy' in access) return `${access.right}, in the service`;
  return access.right;
}
