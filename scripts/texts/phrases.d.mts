export type Place = 'text' | 'comment' | 'name' | 'docs';
export interface Phrase {
  id: string;
  pattern: RegExp;
  instead: string;
  replacement?: string;
  places: readonly Place[];
  except?: RegExp;
}
export const PHRASES: readonly Phrase[];
export function phrasesIn(
  text: string,
  place: Place,
  file?: string,
): { index: number; found: string; phrase: Phrase }[];
