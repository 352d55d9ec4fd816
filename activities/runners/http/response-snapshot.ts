import type { Json } from '#src/domain/json.js';

/** The parts of a response that are checked, as values that can be sent to a thread. */
export interface ResponseSnapshot {
  status: number;
  headers: Record<string, string[]>;
  body: Uint8Array;
  cookies: Record<string, string>;
  totalMs: number;
}

/** A response body, decoded on demand. */
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

/** A failed expectation. */
export interface Failure {
  /** What was expected, to be continued with `actual`: `expected status 201, but it was` */
  text: string;
  /** The actual value; to be masked and then truncated. */
  actual?: string;
}
