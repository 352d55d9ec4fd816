// What the checks share: ask the shop, compare, print, and end with the exit code that Runhook goes by:
// 0 is passed, anything else is failed.
import { isDeepStrictEqual } from 'node:util';
import { startShop } from '../shop.mjs';

/**
 * Starts a shop, runs a check against it and stops it again.
 * @param {(shop: { get, post, expect }) => Promise<void>} body
 * @param settings of the shop, see startShop
 */
export async function checkShop(body, settings) {
  const shop = await startShop(settings);
  console.log(`The shop is open at ${shop.url}`);
  try {
    await body({
      get: (path) => ask(shop.url, 'GET', path),
      post: (path, content) => ask(shop.url, 'POST', path, content),
      expect,
    });
  } finally {
    await shop.close();
  }
  console.log(process.exitCode ? 'FAILED' : 'PASSED');
}

/** @returns {Promise<{ status: number, type: string, body: any }>} body: parsed when it is JSON, else text */
async function ask(url, method, path, content) {
  const response = await fetch(url + path, {
    method,
    body: content && JSON.stringify(content),
    signal: AbortSignal.timeout(5000),
  });
  const type = response.headers.get('content-type') ?? '';
  const body = type.startsWith('application/json') ? await response.json() : await response.text();
  console.log(`  ${method} ${path} → ${response.status}`);
  return { status: response.status, type, body };
}

/** Prints whether something is as expected; goes on either way, so that one run shows all that is wrong. */
function expect(what, got, expected) {
  if (isDeepStrictEqual(got, expected)) {
    console.log(`  ok    ${what}`);
    return;
  }
  console.log(`  WRONG ${what}`);
  console.log(`          expected ${JSON.stringify(expected)}`);
  console.log(`          got      ${JSON.stringify(got)}`);
  process.exitCode = 1;
}
