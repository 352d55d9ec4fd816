import type { Collection, Document } from 'mongodb';
import type { Variable } from '#src/domain/variables/variables.js';
import type { Collections } from '#src/db/schema/collections.js';

const BATCH = 500;

/** A field of a collection that contains encrypted texts. */
export interface SealedField {
  /** For messages. */
  name: string;
  collection: keyof Collections;
  field: string;
  /** Applies `reseal` to each encrypted text in the field's value. */
  map(value: unknown, reseal: (sealed: string) => string): unknown;
}

/** Every field that contains encrypted texts, for key rotation. Add new ones here. */
export const SEALED_FIELDS: readonly SealedField[] = [
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
  /** Undefined if the document does not have the field. */
  value: unknown;
}

/** A page of all documents by id, with or without the field: no index on the field is needed. */
export async function sealedPage(
  collections: Collections,
  { collection, field }: SealedField,
  afterId: string,
): Promise<SealedDocument[]> {
  const found = await documentsOf(collections, collection)
    .find({ _id: { $gt: afterId } }, { projection: { [field]: 1 }, hint: '_id_' })
    .sort({ _id: 1 })
    .limit(BATCH)
    .toArray();
  return found.map((document) => ({ _id: document._id, value: document[field] }));
}

/** A document's current value; undefined when the document no longer exists. */
export async function sealedDocument(
  collections: Collections,
  { collection, field }: SealedField,
  id: string,
): Promise<SealedDocument | undefined> {
  const found = await documentsOf(collections, collection).findOne({ _id: id }, { projection: { [field]: 1 } });
  return found ? { _id: found._id, value: found[field] } : undefined;
}

/** Replaces the field unless it has changed since it was read. @returns false when it has */
export async function replaceSealed(
  collections: Collections,
  { collection, field }: SealedField,
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
