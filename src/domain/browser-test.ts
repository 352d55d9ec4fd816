import Joi from 'joi';
import { must } from './definition-fields.js';

/* What a browser test is made of. */

/** One step; see the schema. */
export type BrowserStep = Record<string, unknown>;

export interface BrowserSettings {
  /** What `goto` is relative to. */
  baseUrl?: string;
  steps: BrowserStep[];
}

export const browserFields = {
  steps: Joi.array()
    .items(Joi.object<BrowserStep>().unknown())
    .min(1)
    .max(500)
    .messages(must('a list of 1 to 500 steps')),
};
