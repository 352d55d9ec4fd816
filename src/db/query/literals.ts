import type { Document } from 'mongodb';

/** Escapes values for a pipeline, so that MongoDB does not evaluate them; drops undefined ones. */
export function literals(fields: object): Document {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, { $literal: value }]));
}
