import type { Found } from './extract.mjs';

export type Text = Found & { file: string; area: string };
export interface Written {
  texts: Text[];
  others: Text[];
  docs: { file: string; text: string }[];
}
export function readTexts(root: string, options?: { isComplete?: boolean }): Written;
export function areaOf(file: string, use?: Found['use']): string;
export function proseOf(markdown: string): string;
