import Joi from 'joi';
import { must } from './definition-fields.js';

/* What an HTTP test is made of. */

/** One request and what is expected of its answer; see the schema. */
export type HttpRequest = Record<string, unknown>;

export interface HttpSettings {
  /** What the requests' addresses are relative to. */
  baseUrl?: string;
  requests: HttpRequest[];
}

export const httpFields = {
  requests: Joi.array()
    .items(Joi.object<HttpRequest>().unknown())
    .min(1)
    .max(200)
    .messages(must('a list of 1 to 200 requests')),
};
