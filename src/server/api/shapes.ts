import Joi from 'joi';

/** Fields and schemas shared by routes of the API. */

export const uuid = Joi.string()
  .guid()
  .lowercase()
  .messages({ '*': '{{#label}} must be a UUID such as 0b6e3c52-6e0f-4b8e-9a53-3f2f5a1f7c11' });

/** A time in responses: ISO 8601, UTC. */
export const moment = Joi.string().isoDate();

/** An error of any route. Programs can rely on `code`. */
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
    count: Joi.number().integer().min(0).required().description('Total number of items, counted up to 10,000.'),
    next: Joi.string().uri().allow(null).required().description('URL of the next page.'),
    previous: Joi.string().uri().allow(null).required().description('URL of the previous page.'),
    results: Joi.array().items(item).required(),
  });

/** Query of a paged list; `cursor` comes from `next` and `previous`. */
export const paging = {
  limit: Joi.number().integer().min(1).max(500).default(50),
  cursor: Joi.string()
    .max(1000)
    .pattern(/^[A-Za-z0-9_-]+$/),
};

/** Query of a list that is never paged; it accepts a limit, so that clients can treat all lists alike. */
export const wholeListQuery = Joi.object({
  limit: paging.limit.description('Ignored: this list is always returned in full.'),
});

/** Path parameter of a project. */
export const projectParams = Joi.object({ projectId: uuid.required() });
