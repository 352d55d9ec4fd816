import type { HttpCapture } from '#src/domain/http-test/expectations.js';
import type { Json } from '#src/domain/json.js';
import type { Body, ResponseSnapshot } from './response-snapshot.js';
import { find } from './check-json.js';

type Captured = { value: Json } | { problem: string };

/** Captures a value of a response for later requests; of several values at a JSONPath, the first one. */
export function captureOf(response: ResponseSnapshot, body: Body, place: HttpCapture): Captured {
  const { json, header, text, cookie } = place;
  if (json !== undefined) return ofJson(body, json);
  if (header !== undefined)
    return valueOr(response.headers[header.toLowerCase()]?.[0], `the response has no header ${header}`);
  if (cookie !== undefined)
    return valueOr(
      Object.hasOwn(response.cookies, cookie) ? response.cookies[cookie] : undefined,
      `the response has no cookie ${cookie}`,
    );
  if (text === undefined) return { value: response.status };
  const match = new RegExp(text).exec(body.text);
  return valueOr(match?.[1] ?? match?.[0], `nothing in the response matches /${text}/`);
}

function ofJson(body: Body, path: string): Captured {
  if ('problem' in body.json) return body.json;
  try {
    return valueOr(find(path, body.json.value).values[0], `nothing was found at ${path}`);
  } catch (error) {
    return { problem: `could not evaluate ${path}: ${(error as Error).message}` };
  }
}

function valueOr(value: Json | undefined, problem: string): Captured {
  return value === undefined ? { problem } : { value };
}
