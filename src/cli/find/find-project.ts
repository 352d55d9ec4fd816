import { closestName } from '#src/domain/project-file/closest.js';
import { isUuid } from '#src/domain/ids.js';
import { allItems } from '#src/cli/api/pages.js';
import type { ProjectView } from '#src/cli/api/responses.js';
import type { Cli } from '#src/cli/cli.js';
import { UsageError } from '#src/cli/cli-error.js';
import { oneLine } from '#src/cli/text.js';

const MAX_LISTED = 10;

/**
 * The project of a command: the specified one (name, slug or ID), or the only one visible to the caller.
 * @throws UsageError when there is none, or several and none is specified
 */
export async function findProject({ http, settings }: Cli): Promise<ProjectView> {
  const nameOrId = settings.project;
  if (nameOrId && isUuid(nameOrId.toLowerCase())) return http().json({ path: `/projects/${nameOrId.toLowerCase()}/` });
  const projects = await allItems<ProjectView>(http(), { path: '/projects/' });
  if (nameOrId) return named(nameOrId, projects);
  const [only, ...others] = projects;
  if (!only) throw new UsageError('You are not a member of any project. Create one with `runhook apply FILE`.');
  if (others.length === 0) return only;
  throw new UsageError(
    `You have several projects. Choose one with --project, RUNHOOK_PROJECT or \`runhook config set project NAME\`:\n${listed(projects)}`,
  );
}

function named(nameOrId: string, projects: ProjectView[]): ProjectView {
  const found =
    projects.find(({ slug }) => slug === nameOrId) ??
    onlyOne(
      projects.filter(({ name }) => name === nameOrId),
      nameOrId,
    );
  if (found) return found;
  const closest = closestName(
    nameOrId,
    projects.flatMap(({ name, slug }) => [name, slug]),
  );
  throw new UsageError(
    `You have no project "${oneLine(nameOrId)}".${closest ? ` Did you mean "${oneLine(closest)}"?` : `\n${listed(projects)}`}`,
  );
}

function onlyOne(projects: ProjectView[], nameOrId: string): ProjectView | undefined {
  if (projects.length > 1)
    throw new UsageError(`Several projects are named "${oneLine(nameOrId)}". Use the slug:\n${listed(projects)}`);
  return projects[0];
}

function listed(projects: ProjectView[]): string {
  const lines = projects.slice(0, MAX_LISTED).map(({ name, slug }) => `  ${slug}  (${oneLine(name)})`);
  return [...lines, ...(projects.length > MAX_LISTED ? [`  and ${projects.length - MAX_LISTED} more`] : [])].join('\n');
}
