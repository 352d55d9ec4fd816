/** Emoji with their joiners, selectors and tags. */
const EMOJI = new RegExp('\\p{RGI_Emoji}', 'gv');
/** Format characters and others that show nothing, and the empty Braille pattern. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text has characters that nobody sees, outside of emoji: two such texts can look the same. */
export function hasInvisible(text: string): boolean {
  return INVISIBLE.test(text.replace(EMOJI, ''));
}

/** Joiners between two letters or marks: languages such as Persian and Hindi write with them. */
const WRITTEN_JOINER = /(?<=[\p{L}\p{M}])[\u200c\u200d](?=[\p{L}\p{M}])/u;
const KEPT_OR_INVISIBLE = new RegExp(`(${EMOJI.source}|${WRITTEN_JOINER.source})|${INVISIBLE.source}`, 'gv');

/** A text of elsewhere on one line, without characters that nobody sees; joiners of emoji and of a language stay. */
export function visibleLine(text: string): string {
  return text
    .replace(KEPT_OR_INVISIBLE, '$1')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .normalize('NFC');
}

/** Whether a text has characters that nobody sees, other than the joiners of emoji and of a language. */
export function hasInvisibleInWriting(text: string): boolean {
  return text.replace(KEPT_OR_INVISIBLE, '$1') !== text;
}
