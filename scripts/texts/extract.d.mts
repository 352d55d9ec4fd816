export interface Found {
  place: 'text' | 'comment' | 'name';
  /** Where it begins in the source. */
  pos: number;
  /** From 1. */
  line: number;
  /** Of a template with `${…}` for its values. */
  text: string;
  use: 'error' | 'log' | 'metric' | 'attribute' | 'jsx' | 'string' | undefined;
}
export function extract(file: string, source: string): Found[];
