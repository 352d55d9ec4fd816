import Joi from 'joi';

/** Fields and shapes that many routes of the API share. */

export const uuid = Joi.string()
  .guid()
  .lowercase()
  .messages({ '*': '{{#label}} must be a UUID such as 0b6e3c52-6e0f-4b8e-9a53-3f2f5a1f7c11' });

/** A moment as answers show it: ISO 8601, UTC. */
export const moment = Joi.string().isoDate();

/** An error of any route. Stable for programs: `code`. */
export const apiError = Joi.object({
  statusCode: Joi.number().integer().required(),
  error: Joi.string().required(),
  message: Joi.string().allow('').required(),
  code: Joi.string().required(),
  fields: Joi.array().items(Joi.object({ field: Joi.string().allow('').required(), message: Joi.string().required() })),
  requestId: Joi.string().required(),
});

/** A page of a list, in BugBug's shape. */
export const listOf = (item: Joi.Schema) =>
  Joi.object({
    count: Joi.number()
      .integer()
      .min(0)
      .required()
      .description('How many there are in all; at most 10,000 are counted.'),
    next: Joi.string().uri().allow(null).required().description('Address of the next page.'),
    previous: Joi.string().uri().allow(null).required().description('Address of the page before.'),
    results: Joi.array().items(item).required(),
  });

/** Query of a paged list; `cursor` comes from `next` and `previous`. */
export const paging = {
  limit: Joi.number().integer().min(1).max(500).default(50),
  cursor: Joi.string()
    // It holds a name, at most.
    .max(1000)
    .pattern(/^[A-Za-z0-9_-]+$/),
};

/** Query of a list that always comes whole: a limit is taken, so that every list can be asked alike. */
export const wholeListQuery = Joi.object({
  limit: paging.limit.description('Changes nothing: this list is short and comes whole.'),
});

/** Path parameter of a project. */
export const projectParams = Joi.object({ projectId: uuid.required() });
