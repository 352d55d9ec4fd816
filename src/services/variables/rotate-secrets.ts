import type { Collections } from '#src/db/schema/collections.js';
import {
  replaceSealed,
  SEALED_FIELDS,
  sealedDocument,
  sealedPage,
  type SealedDocument,
  type SealedField,
} from '#src/db/variables/sealed-fields.js';
import { isSealedWith, open, seal, SecretBoxError } from '#src/domain/variables/secret-box.js';

/** Each retry follows a concurrent change of the document. */
const ROUNDS = 5;

/** Result for the documents of one place. */
export interface ResealedPlace {
  name: string;
  /** Number of documents that were encrypted again, with the newest key. */
  resealed: number;
  /** Number of documents that already used the newest key. */
  upToDate: number;
  /** IDs of documents whose key is missing, or which keep changing. */
  failed: { id: string; reason: string }[];
}

/**
 * Encrypts all stored secrets with the newest key. Safe to repeat, to interrupt, and to run beside running servers: a
 * document that changes concurrently is read again.
 * @param secretKeys AES-256 keys, newest first; older ones only decrypt
 */
export async function rotateSecrets(
  collections: Collections,
  secretKeys: readonly Buffer[],
  places: readonly SealedField[] = SEALED_FIELDS,
): Promise<ResealedPlace[]> {
  const results: ResealedPlace[] = [];
  for (const place of places) {
    const result: ResealedPlace = { name: place.name, resealed: 0, upToDate: 0, failed: [] };
    results.push(result);
    for (let after = ''; ;) {
      const page = await sealedPage(collections, place, after);
      for (const document of page) {
        try {
          const became = await resealDocument(collections, secretKeys, place, document);
          if (became !== 'nothing sealed') result[became]++;
        } catch (error) {
          if (!(error instanceof SecretBoxError)) throw error;
          result.failed.push({ id: document._id, reason: error.message });
        }
      }
      if (page.length === 0) break;
      after = page.at(-1)!._id;
    }
  }
  return results;
}

/** @throws SecretBoxError */
async function resealDocument(
  collections: Collections,
  keys: readonly Buffer[],
  place: SealedField,
  document: SealedDocument,
): Promise<'resealed' | 'upToDate' | 'nothing sealed'> {
  let current: SealedDocument | undefined = document;
  for (let round = 0; round < ROUNDS && current?.value !== undefined; round++) {
    let isSealed = false;
    let isOld = false;
    const next = place.map(current.value, (sealed) => {
      isSealed = true;
      if (isSealedWith(keys[0]!, sealed)) return sealed;
      isOld = true;
      return seal(keys, open(keys, sealed));
    });
    if (!isOld) return isSealed ? 'upToDate' : 'nothing sealed';
    if (await replaceSealed(collections, place, current, next)) return 'resealed';
    current = await sealedDocument(collections, place, document._id);
  }
  if (current?.value === undefined) return 'nothing sealed';
  throw new SecretBoxError('It kept changing during the rotation. Run the command again.');
}
