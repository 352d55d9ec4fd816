import { expect } from 'chai';
import { createSecretMask } from '#activities/run-log/masker.js';
import { secretForms } from '#activities/run-log/secret-forms.js';

/** Masks a text that arrives in pieces. */
function masked(secrets: string[], ...pieces: (string | Buffer)[]): string {
  const masker = createSecretMask(secrets)!.stream();
  return Buffer.concat([...pieces.map((piece) => masker.push(Buffer.from(piece))), masker.end()]).toString();
}

const inPieces = (text: string, size: number) => {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
};

/** A simple reference: masks every byte of any form, with one mask for overlapping forms. */
function expected(secrets: string[], text: string): string {
  const bytes = Buffer.from(text);
  const spans = secretForms(secrets)
    .map((form) => Buffer.from(form))
    .flatMap((form) => {
      const found: [number, number][] = [];
      for (let at = bytes.indexOf(form); at >= 0; at = bytes.indexOf(form, at + 1)) found.push([at, at + form.length]);
      return found;
    })
    .sort(([a], [b]) => a - b);
  const pieces: Buffer[] = [];
  let done = 0;
  for (const [from, to] of spans) {
    if (from >= done) pieces.push(bytes.subarray(done, from), Buffer.from('***'));
    done = Math.max(done, to);
  }
  return Buffer.concat([...pieces, bytes.subarray(done)]).toString();
}

describe('createSecretMask', () => {
  it('returns undefined without secrets, or with only short ones', () => {
    expect(createSecretMask([])).to.equal(undefined);
    expect(createSecretMask(['', 'abc', 'äöü'])).to.equal(undefined);
  });

  it('masks a secret at any position, in any pieces', () => {
    const text = 'hunter2 and hunter2hunter2, hunter, unter2: hunter2';
    for (const size of [1, 2, 3, 5, 7, 100])
      expect(masked(['hunter2'], ...inPieces(text, size)), `pieces of ${size}`).to.equal(
        '*** and ******, hunter, unter2: ***',
      );
  });

  it('holds back only a possible beginning of a secret', () => {
    const masker = createSecretMask(['hunter2'])!.stream();
    expect(masker.push(Buffer.from('say hu')).toString()).to.equal('say ');
    expect(masker.push(Buffer.from('mble')).toString()).to.equal('humble');
    expect(masker.push(Buffer.from('hunter')).toString()).to.equal('');
    expect(masker.end().toString()).to.equal('hunter');
  });

  it('masks nested and overlapping secrets as a whole', () => {
    for (const size of [1, 2, 100]) {
      const of = (secrets: string[], text: string) => masked(secrets, ...inPieces(text, size));
      expect(of(['pass', 'password1'], 'password1 pass passw')).to.equal('*** *** ***w');
      expect(of(['abcd', 'cdef'], 'xabcdefx abcd cdef')).to.equal('x***x *** ***');
      expect(of(['aaaa'], 'aaaaaab')).to.equal('***b');
    }
  });

  it('masks each line of a multi-line secret, and the whole', () => {
    const key = '-----BEGIN KEY-----\nc2VjcmV0IGtleQ\nxy\n-----END KEY-----\n';
    expect(masked([key], `one\n${key}two\n`)).to.equal('one\n***\ntwo\n');
    expect(masked([key], 'only c2VjcmV0IGtleQ\n')).to.equal('only ***\n');
    expect(masked([key.replaceAll('\n', '\r\n')], 'only c2VjcmV0IGtleQ\n')).to.equal('only ***\n');
  });

  it('masks the URL-encoded, base64 and JSON-escaped forms', () => {
    const secret = 'pä"ss/wörd +1\\?';
    const forms = [
      encodeURIComponent(secret),
      encodeURIComponent(secret).toLowerCase(),
      new URLSearchParams({ p: secret }).toString().slice(2),
      Buffer.from(secret).toString('base64'),
      Buffer.from(secret).toString('base64url'),
      Buffer.from(`${secret}\n`).toString('base64'),
      JSON.stringify(secret).slice(1, -1),
      JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
    ];
    for (const form of forms) expect(masked([secret], `<${form}>`), form).to.equal('<***>');
  });

  it('masks the base64 of a secret within larger data', () => {
    const secret = 'correct horse battery';
    for (const before of ['', 'a', 'ab', 'user:']) {
      const text = Buffer.from(`${before}${secret}!`).toString('base64');
      const shown = Buffer.from(masked([secret], text).replace('***', ''), 'base64').toString('latin1');
      expect(masked([secret], text)).to.contain('***');
      expect(shown, before).not.to.match(/correct|horse|battery/);
    }
  });

  it('is independent of the pieces, on random texts of few letters', () => {
    let state = 7;
    const random = (below: number) => (state = (state * 48271) % 2147483647) % below;
    const letters = (count: number) => Array.from({ length: count }, () => 'ab\nc'[random(4)]).join('');
    for (let round = 0; round < 300; round++) {
      const secrets = Array.from({ length: 1 + random(4) }, () => `ab${letters(2 + random(6))}`);
      const text = letters(200);
      const whole = expected(secrets, text);
      if (!createSecretMask(secrets)) continue;
      for (const size of [1, 2, 5, 50, 1000])
        expect(masked(secrets, ...inPieces(text, size)), JSON.stringify({ secrets, text, size })).to.equal(whole);
    }
  });

  it('masks texts', () => {
    expect(createSecretMask(['hunter2'])!.text('no folder of PATH has it (/opt/hunter2/bin)')).to.equal(
      'no folder of PATH has it (/opt/***/bin)',
    );
  });
});
