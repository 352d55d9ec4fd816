import Joi from 'joi';
import { must, pool as poolName, text } from '#src/domain/targets/definition-fields.js';
import type { Pool, PoolSettings } from '#src/domain/pool.js';
import { moment, uuid } from '#src/server/api/shapes.js';

export const POOL_TAG = 'Pools';

/** Settings of a pool that admins can change; see PoolSettings. */
export const poolSettings: Record<keyof PoolSettings, Joi.Schema> = {
  description: text().allow('').trim().max(500).messages(must('a string of up to 500 characters')),
  projects: Joi.alternatives(Joi.string().valid('all'), Joi.array().items(uuid).max(1000).unique()).messages(
    must('"all", or a list of up to 1,000 project IDs'),
  ),
};

export const poolShape = Joi.object({
  name: poolName.required(),
  description: Joi.string().allow('').required(),
  projects: Joi.alternatives(Joi.string().valid('all'), Joi.array().items(uuid))
    .required()
    .description('`all` (including future projects), or the IDs of the projects that can use the pool.'),
  createdAt: moment.required(),
  modified: moment.required(),
  revision: Joi.number().integer().min(1).required(),
});

export function showPool({ _id, description, projects, revision, createdAt, modifiedAt }: Pool) {
  return {
    name: _id,
    description,
    projects,
    createdAt: createdAt.toISOString(),
    modified: modifiedAt.toISOString(),
    revision,
  };
}

export const poolParams = Joi.object({ poolName: poolName.required() });
