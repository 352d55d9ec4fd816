import { closestName } from '../../domain/project-file-closest.js';
import { isUuid } from '../../domain/ids.js';
import { allItems } from '../api/pages.js';
import type { ProjectView } from '../api/shapes.js';
import type { Cli } from '../cli.js';
import { UsageError } from '../cli-error.js';
import { oneLine } from '../text.js';

const SHOWN = 10;

/**
 * The project that a command is about: the named one (name, slug or id), or the only one that the caller sees.
 * @throws UsageError when there is none, or more than one and none is named
 */
export async function findProject({ http, settings }: Cli): Promise<ProjectView> {
  const wanted = settings.project;
  if (wanted && isUuid(wanted.toLowerCase())) return http().json({ path: `/projects/${wanted.toLowerCase()}/` });
  const projects = await allItems<ProjectView>(http(), { path: '/projects/' });
  if (wanted) return named(wanted, projects);
  const [only, ...others] = projects;
  if (!only) throw new UsageError('You are a member of no project. Make one: runhook apply FILE');
  if (others.length === 0) return only;
  throw new UsageError(
    `Which project? Give --project, set RUNHOOK_PROJECT, or keep it: runhook config set project NAME\n${listed(projects)}`,
  );
}

function named(wanted: string, projects: ProjectView[]): ProjectView {
  const found =
    projects.find(({ slug }) => slug === wanted) ??
    onlyOne(
      projects.filter(({ name }) => name === wanted),
      wanted,
    );
  if (found) return found;
  const closest = closestName(
    wanted,
    projects.flatMap(({ name, slug }) => [name, slug]),
  );
  throw new UsageError(
    `There is no project "${oneLine(wanted)}" among yours.${closest ? ` Did you mean "${oneLine(closest)}"?` : `\n${listed(projects)}`}`,
  );
}

function onlyOne(projects: ProjectView[], wanted: string): ProjectView | undefined {
  if (projects.length > 1)
    throw new UsageError(`Several projects are called "${oneLine(wanted)}". Use the slug:\n${listed(projects)}`);
  return projects[0];
}

function listed(projects: ProjectView[]): string {
  const lines = projects.slice(0, SHOWN).map(({ name, slug }) => `  ${slug}  (${oneLine(name)})`);
  return [...lines, ...(projects.length > SHOWN ? [`  and ${projects.length - SHOWN} more`] : [])].join('\n');
}
