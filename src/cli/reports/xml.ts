import { stripVTControlCharacters } from 'node:util';

/** A start tag, or an empty element. */
export function open(tag: string, attributes: Record<string, string | number>, isEmpty = false): string {
  const given = Object.entries(attributes).map(([name, value]) => ` ${name}="${attribute(String(value))}"`);
  return `<${tag}${given.join('')}${isEmpty ? '/>' : '>'}`;
}

/** Escapes text for XML 1.0. Removes terminal sequences, and characters that XML does not allow even as references. */
export function text(raw: string): string {
  return stripVTControlCharacters(raw)
    .replace(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

function attribute(raw: string): string {
  return text(raw)
    .replaceAll('"', '&quot;')
    .replace(/[\t\n\r]/g, (space) => `&#${space.charCodeAt(0)};`);
}
