import type { Collection } from 'mongodb';
import { NotFoundError } from '#src/domain/errors.js';
import { effectiveLimits, type InstanceLimits, type OwnLimits, type ProjectLimits } from '#src/domain/limits.js';
import type { Project } from '#src/domain/records.js';
import { RESOURCE_NOT_FOUND } from '#src/services/access/access-control.js';
import type { Audit, Caller } from '#src/services/people/audit-log.js';

const MAX_TIME_MS = 2000;

export interface ShownLimits {
  effective: ProjectLimits;
  /** The project's own settings. */
  own: OwnLimits;
  /** Apply where the project has no setting. */
  defaults: ProjectLimits;
}

export type ProjectLimitServices = ReturnType<typeof createProjectLimitServices>;

export interface ProjectLimitDeps {
  projects: Collection<Project>;
  instance: InstanceLimits;
  audit: Audit;
}

export function createProjectLimitServices({ projects, instance, audit }: ProjectLimitDeps) {
  const shown = (own: OwnLimits = {}): ShownLimits => ({
    effective: effectiveLimits(instance, own),
    own,
    defaults: effectiveLimits(instance),
  });

  return {
    /** @throws NotFoundError */
    async read(projectId: string) {
      const project = await projects.findOne({ _id: projectId }, { projection: { limits: 1 }, maxTimeMS: MAX_TIME_MS });
      if (!project) throw new NotFoundError(RESOURCE_NOT_FOUND);
      return shown(project.limits);
    },

    /** Takes effect on all servers within 5 s. @throws NotFoundError */
    async put(caller: Caller, projectId: string, own: OwnLimits) {
      const isNone = Object.keys(own).length === 0;
      const { matchedCount, modifiedCount } = await projects.updateOne(
        { _id: projectId },
        isNone ? { $unset: { limits: '' } } : { $set: { limits: own } },
      );
      if (matchedCount === 0) throw new NotFoundError(RESOURCE_NOT_FOUND);
      if (modifiedCount > 0) {
        const target = { type: 'project', id: projectId };
        await audit.note(caller, 'limits.edit', { projectId, target, details: { ...own } });
      }
      return shown(own);
    },
  };
}
