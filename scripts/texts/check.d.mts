import type { Written } from './read-texts.mjs';

export interface Hit {
  file: string;
  line: number;
  /** Of a text its area; else `comments`, `names`, `docs`, `tests`. */
  area: string;
  rule: string;
  found: string;
  excerpt: string;
  instead: string;
}
export function check(written: Written): Hit[];
