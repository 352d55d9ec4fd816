/**
 * Parses a JUnit `time` into whole ms: seconds such as `0.25`, `1,234.5` (Maven), or with a decimal comma (`0,25`).
 * @returns undefined if it is not a time
 */
export function parseSeconds(text: string | undefined): number | undefined {
  const trimmed = text?.trim() ?? '';
  const plain = /^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(trimmed)
    ? trimmed.replaceAll(',', '')
    : trimmed.replace(',', '.');
  if (!/^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return undefined;
  const ms = Math.round(Number(plain) * 1000);
  return Number.isSafeInteger(ms) ? ms : undefined;
}
