/** Shorter secrets cannot be distinguished from other text. */
const SHORTEST = 4;

/**
 * The forms in which secret values can appear in output: unchanged, line by line, URL-encoded, in base64 (at each of
 * its three alignments) and JSON-escaped. Shortest form: 4 characters.
 */
export function secretForms(secrets: readonly string[]): string[] {
  const forms = new Set<string>();
  for (const given of secrets) {
    // Processes receive lone surrogates as U+FFFD.
    const secret = Buffer.from(given).toString();
    if ([...secret].length < SHORTEST) continue;
    // A line break at the end is usually not printed.
    const bare = secret.replace(/^[\r\n]+|[\r\n]+$/g, '');
    for (const form of [bare, ...secret.split(/[\r\n]+/)]) forms.add(form);
    for (const form of [bare, secret].flatMap((whole) => [...urlForms(whole), ...jsonForms(whole)])) forms.add(form);
    // With a newline, as `echo` prints it.
    for (const form of [bare, secret, `${bare}\n`].flatMap((whole) => base64Forms(Buffer.from(whole)))) forms.add(form);
  }
  return [...forms].filter((form) => [...form].length >= SHORTEST);
}

function urlForms(secret: string): string[] {
  const encoded = encodeURIComponent(secret);
  const strict = encoded.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  return [encoded, strict].flatMap((form) => {
    const plus = form.replace(/%20/g, '+');
    return [form, plus, lowerHex(form), lowerHex(plus)];
  });
}

const lowerHex = (text: string) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());

function jsonForms(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const ascii = escaped.replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return [escaped, ascii, escaped.replaceAll('/', '\\/')];
}

/** Forms of the secret alone, and of one with up to two bytes before it, as in `user:password`. */
function base64Forms(secret: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), secret]).toString('base64');
    const bare = text.replace(/=+$/, '');
    // Characters that share bits with neighboring bytes vary.
    const core = bare.slice(before === 0 ? 0 : before + 1, (before + secret.length) % 3 === 0 ? undefined : -1);
    return (before === 0 ? [text, bare, core] : [core]).flatMap((form) => [
      form,
      form.replaceAll('+', '-').replaceAll('/', '_'),
    ]);
  });
}
