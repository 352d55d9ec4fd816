import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const MOST_COLOURS = 64;
/** Squared distance up to which two shades at the edge of a letter look the same. */
const ALIKE = 40 ** 2;

interface Pixels {
  width: number;
  height: number;
  /** `0xRRGGBB` of each, row by row. */
  colours: Uint32Array;
}

/**
 * Reduces a screenshot to few colors, which makes images of text much smaller.
 * @param png 8 bits per channel, not interlaced, as browsers write it
 */
export function smallPng(png: Buffer): Buffer {
  const { width, height, colours } = decode(png);
  const { palette, indexOf } = paletteOf(colours);
  // Each row begins with its filter type: none, which suits a palette best.
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) rows[y * (width + 1) + 1 + x] = indexOf.get(colours[y * width + x]!)!;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const data = deflateSync(rows, { level: 9, memLevel: 9 });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The most frequent distinct colors, and the nearest of them for every color. */
function paletteOf(colours: Uint32Array): { palette: number[]; indexOf: Map<number, number> } {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette: number[] = [];
  for (const [colour, count] of [...counts].sort(([a, countA], [b, countB]) => countB - countA || a - b)) {
    // Backgrounds and lines differ only slightly, and are large.
    const isMuch = count > colours.length / 5000;
    if (isMuch || palette.every((other) => distance(colour, other) > ALIKE)) palette.push(colour);
    if (palette.length === MOST_COLOURS) break;
  }
  return { palette, indexOf: new Map([...counts.keys()].map((colour) => [colour, nearest(colour, palette)])) };
}

function nearest(colour: number, palette: number[]): number {
  let [best, least] = [0, Infinity];
  palette.forEach((other, index) => {
    const far = distance(colour, other);
    if (far < least) [best, least] = [index, far];
  });
  return best;
}

function distance(a: number, b: number): number {
  const along = (shift: number) => (((a >> shift) & 255) - ((b >> shift) & 255)) ** 2;
  return along(16) + along(8) + along(0);
}

function decode(png: Buffer): Pixels {
  const [data, width, height] = [[] as Buffer[], png.readUInt32BE(16), png.readUInt32BE(20)];
  const [depth, type, , , interlace] = png.subarray(24, 29);
  const channels = { 2: 3, 6: 4 }[type!];
  if (depth !== 8 || !channels || interlace !== 0)
    throw new Error(`A PNG of another kind: ${depth} bits, type ${type}`);
  for (let at = SIGNATURE.length; at < png.length; at += png.readUInt32BE(at) + 12)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const bytes = unfilter(inflateSync(Buffer.concat(data)), width * channels, channels);
  const colours = Uint32Array.from({ length: width * height }, (_, pixel) => {
    const at = pixel * channels;
    return (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!;
  });
  return { width, height, colours };
}

/** The rows with their PNG filters undone (PNG, section 9). */
function unfilter(raw: Buffer, stride: number, channels: number): Uint8Array {
  const height = raw.length / (stride + 1);
  const out = new Uint8Array(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)]!;
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x < channels ? 0 : out[at - channels]!;
      const up = y === 0 ? 0 : out[at - stride]!;
      const upLeft = x < channels || y === 0 ? 0 : out[at - stride - channels]!;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, upLeft)][filter]!;
      out[at] = raw[y * (stride + 1) + 1 + x]! + guess;
    }
  }
  return out;
}

function paeth(left: number, up: number, upLeft: number): number {
  const [a, b, c] = [Math.abs(up - upLeft), Math.abs(left - upLeft), Math.abs(left + up - 2 * upLeft)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : upLeft;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
