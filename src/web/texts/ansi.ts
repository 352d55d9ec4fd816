import { stripVTControlCharacters } from 'node:util';
import Anser from 'anser';

/** A part of a line with the CSS classes of its colours and its style. */
interface StyledText {
  text: string;
  classes: string[];
}

const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
/** As xterm draws them: what other colours are compared with. Bright ones follow the plain. */
const XTERM: readonly Rgb[] = [
  [0, 0, 0],
  [205, 0, 0],
  [0, 205, 0],
  [205, 205, 0],
  [0, 0, 238],
  [205, 0, 205],
  [0, 205, 205],
  [229, 229, 229],
  [127, 127, 127],
  [255, 0, 0],
  [0, 255, 0],
  [255, 255, 0],
  [92, 92, 255],
  [255, 0, 255],
  [0, 255, 255],
  [255, 255, 255],
];
const STYLES: readonly string[] = ['bold', 'italic', 'underline', 'strikethrough'];
const COLOUR_SEQUENCE = /(\x1b\[[\d;]*m)/;
/** C0 but the tab, DEL, C1, and what turns the direction of writing. */
const CONTROLS = /[\x00-\x08\x0a-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

type Rgb = readonly [number, number, number];

/**
 * What a program printed, with its terminal colours as classes. Other terminal sequences are left out; control
 * characters become visible, so that a line shows what is in it and does nothing.
 */
export function styledText(printed: string): StyledText[] {
  const cleaned = printed
    .split(COLOUR_SEQUENCE)
    .map((part, index) => (index % 2 === 1 ? part : visible(stripVTControlCharacters(part))))
    .join('');
  if (!cleaned.includes('\x1b')) return cleaned === '' ? [] : [{ text: cleaned, classes: [] }];
  return Anser.ansiToJson(cleaned, { json: true, use_classes: true, remove_empty: true }).map((part) => ({
    text: part.content,
    classes: [
      ...colourClass('ansi', part.fg, part.fg_truecolor),
      ...colourClass('ansi-on', part.bg, part.bg_truecolor),
      ...part.decorations.filter((one) => STYLES.includes(one)).map((one) => `ansi-${one}`),
    ],
  }));
}

/** The same without colours. */
export function plainText(printed: string): string {
  return visible(stripVTControlCharacters(printed));
}

function visible(text: string): string {
  return text.replace(CONTROLS, (control) => {
    const code = control.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? '␡' : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}

function colourClass(prefix: string, name: string | null, trueColour: string | null): string[] {
  if (!name) return [];
  if (name === 'ansi-truecolor') return [`${prefix}-${nearest((trueColour ?? '').split(',').map(Number))}`];
  const palette = /^ansi-palette-(\d+)$/.exec(name);
  return [`${prefix}-${palette ? nearest(paletteColour(Number(palette[1]))) : name.slice('ansi-'.length)}`];
}

/** One of the 256: 16 by name, a cube of 6 × 6 × 6, 24 greys. */
function paletteColour(index: number): readonly number[] {
  if (index < 16) return XTERM[index]!;
  if (index >= 232) return Array(3).fill(8 + 10 * (index - 232));
  const level = (step: number) => (step === 0 ? 0 : 55 + 40 * step);
  const cube = index - 16;
  return [level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)];
}

/** The name of the one of the 16 that looks most like it. */
function nearest([red = 0, green = 0, blue = 0]: readonly number[]): string {
  const distances = XTERM.map(([r, g, b]) => (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2);
  const index = distances.indexOf(Math.min(...distances));
  return `${index >= 8 ? 'bright-' : ''}${COLOURS[index % 8]}`;
}
