import type { Json } from '#src/domain/json.js';

/** What can be said of an answer, in values that another thread can be sent. */
export interface SeenAnswer {
  status: number;
  headers: Record<string, string[]>;
  body: Uint8Array;
  cookies: Record<string, string>;
  totalMs: number;
}

/** The body as it is needed: text, or JSON. */
export class Body {
  constructor(private readonly bytes: Uint8Array) {}
  private parsed: { value: Json } | { problem: string } | undefined;
  private decoded: string | undefined;

  get text(): string {
    return (this.decoded ??= new TextDecoder().decode(this.bytes));
  }

  get json(): { value: Json } | { problem: string } {
    return (this.parsed ??= this.parse());
  }

  private parse(): { value: Json } | { problem: string } {
    if (this.bytes.length === 0) return { problem: 'the response is empty' };
    try {
      return { value: JSON.parse(this.text) as Json };
    } catch {
      return { problem: 'the response is not JSON' };
    }
  }
}

/** One expectation that does not hold. */
export interface Failure {
  /** What was expected, as the end of a sentence: `expected status 201, but it was` */
  text: string;
  /** What there is instead. Not cut yet: its secrets are to be masked before. */
  actual?: string;
}
