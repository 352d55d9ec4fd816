import type { Collection, Document } from 'mongodb';
import type { Variable } from '#src/domain/variables/variables.js';
import type { Collections } from '#src/db/schema/collections.js';

const BATCH = 500;

/** A field of a collection's documents that holds sealed texts. */
export interface SealedPlace {
  /** For people. */
  name: string;
  collection: keyof Collections;
  field: string;
  /** The field's value with each sealed text put through `reseal`. */
  map(value: unknown, reseal: (sealed: string) => string): unknown;
}

/** Every place that holds sealed texts. Whoever seals something elsewhere adds it here. */
export const SEALED_PLACES: readonly SealedPlace[] = [
  {
    name: 'webhook tokens',
    collection: 'webhookTokens',
    field: 'encrypted',
    map: (value, reseal) => reseal(value as string),
  },
  { name: 'variable sets', collection: 'variableSets', field: 'variables', map: mapVariables },
  {
    name: 'invitation links',
    collection: 'invitations',
    field: 'encrypted',
    map: (value, reseal) => reseal(value as string),
  },
  { name: 'run variables', collection: 'runs', field: 'variables', map: mapVariables },
];

function mapVariables(value: unknown, reseal: (sealed: string) => string): Variable[] {
  return (value as Variable[]).map((variable) =>
    variable.sealed === undefined ? variable : { ...variable, sealed: reseal(variable.sealed) },
  );
}

export interface SealedDocument {
  _id: string;
  /** Undefined: it has none. */
  value: unknown;
}

/** All documents of the place, by pages in the order of their ids: a page is quick, however few have the field. */
export async function sealedPage(
  collections: Collections,
  { collection, field }: SealedPlace,
  afterId: string,
): Promise<SealedDocument[]> {
  const found = await documentsOf(collections, collection)
    .find({ _id: { $gt: afterId } }, { projection: { [field]: 1 }, hint: '_id_' })
    .sort({ _id: 1 })
    .limit(BATCH)
    .toArray();
  return found.map((document) => ({ _id: document._id, value: document[field] }));
}

/** One such document as it is now; undefined when it is gone. */
export async function sealedDocument(
  collections: Collections,
  { collection, field }: SealedPlace,
  id: string,
): Promise<SealedDocument | undefined> {
  const found = await documentsOf(collections, collection).findOne({ _id: id }, { projection: { [field]: 1 } });
  return found ? { _id: found._id, value: found[field] } : undefined;
}

/** Replaces the field where it is still as it was read. @returns false: somebody has changed it meanwhile */
export async function replaceSealed(
  collections: Collections,
  { collection, field }: SealedPlace,
  { _id, value }: SealedDocument,
  next: unknown,
): Promise<boolean> {
  const { matchedCount } = await documentsOf(collections, collection).updateOne(
    { _id, [field]: { $eq: value } },
    { $set: { [field]: next } },
  );
  return matchedCount === 1;
}

function documentsOf(collections: Collections, name: keyof Collections): Collection<Document & { _id: string }> {
  return collections[name] as unknown as Collection<Document & { _id: string }>;
}
