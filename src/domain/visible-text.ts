/** Emoji with their joiners, selectors and tags. */
const EMOJI = new RegExp('\\p{RGI_Emoji}', 'gv');
/** Format characters and others that show nothing, and the empty Braille pattern. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text has characters that nobody sees, outside of emoji: two such texts can look the same. */
export function hasInvisible(text: string): boolean {
  return INVISIBLE.test(text.replace(EMOJI, ''));
}
