import { expect } from 'chai';
import { describeBrowser } from '#src/web/texts/describe-browser.js';

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0';

describe('describeBrowser', () => {
  for (const [userAgent, name] of [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox on Linux'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/126.0.0.0`, 'Edge on Windows'],
    [`Mozilla/5.0 (Linux; Android 14) ${CHROME} Mobile Safari/537.36`, 'Chrome on Android'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Mobile/15E148 Safari/604.1', 'Safari on iOS'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/17.5 Safari/605.1.15', 'Safari on macOS'],
    ['something <else>', 'something <else>'],
    ['', 'Unknown'],
  ] as const)
    it(`is ${name}`, () => expect(describeBrowser(userAgent)).to.equal(name));
});
