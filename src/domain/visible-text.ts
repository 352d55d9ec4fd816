/** Emoji with their joiners, selectors and tags. */
const EMOJI = new RegExp('\\p{RGI_Emoji}', 'gv');
/** Format characters, other characters without a glyph, and the empty Braille pattern. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text has invisible characters outside of emoji, with which different texts look the same. */
export function hasInvisible(text: string): boolean {
  return INVISIBLE.test(text.replace(EMOJI, ''));
}

/** Joiners between two letters or marks, which languages such as Persian and Hindi require. */
const WRITTEN_JOINER = /(?<=[\p{L}\p{M}])[\u200c\u200d](?=[\p{L}\p{M}])/u;
const KEPT_OR_INVISIBLE = new RegExp(`(${EMOJI.source}|${WRITTEN_JOINER.source})|${INVISIBLE.source}`, 'gv');

/** An external text on one line, without invisible characters; joiners of emoji and of a language stay. */
export function visibleLine(text: string): string {
  return text
    .replace(KEPT_OR_INVISIBLE, '$1')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .normalize('NFC');
}

/** Whether a text has invisible characters other than the joiners of emoji and of a language. */
export function hasInvisibleInWriting(text: string): boolean {
  return text.replace(KEPT_OR_INVISIBLE, '$1') !== text;
}
