import type { Document } from 'mongodb';

/** Fields for a pipeline whose values are never read as expressions; undefined ones are left out. */
export function literals(fields: object): Document {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, { $literal: value }]));
}
