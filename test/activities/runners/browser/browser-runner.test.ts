import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { fromBufferPromise } from 'yauzl';
import { createSecretMask } from '#activities/run-log/masker.js';
import { membersOf, processesOf } from '#activities/processes/proc-scan.js';
import type { BrowserStep } from '#src/domain/browser-test/browser-test.js';
import { eventually } from '#test/support/eventually.js';
import { freePort } from '#tools/stack/ports.js';
import { useBrowserWorld } from './support.js';

const kit = { goto: '/kit', timeout: '10s' };
const button = (name: string) => ({ role: 'button', name });

describe('createBrowserRunner', () => {
  const world = useBrowserWorld();

  async function passes(steps: BrowserStep[], more = {}): Promise<void> {
    const { verdict } = await world.run(steps, { trace: 'never', ...more });
    expect(verdict.errorMessage).to.equal(undefined);
    expect(verdict.status).to.equal('passed');
  }
  async function message(steps: BrowserStep[], more = {}): Promise<string> {
    const { verdict } = await world.run(steps, { trace: 'never', stepTimeout: '500ms', ...more });
    expect(verdict.status).to.equal('failed');
    return verdict.errorMessage!;
  }

  it('waits for late elements, double-clicks, hovers, presses keys', () =>
    passes([
      kit,
      { click: button('Slow') },
      { expect: { text: 'Here at last' } },
      { doubleClick: button('Double') },
      { expect: button('Twice') },
      { hover: button('Point') },
      { expect: { ...button('Pointed at'), enabled: true } },
      { fill: { placeholder: 'What do you look for?', value: 'cups' } },
      { press: { label: 'Search', key: 'Enter' } },
      { waitFor: { text: 'Found cups' } },
      { expect: { label: 'Search', value: 'cups' } },
      { expect: { testId: 'hidden', hidden: true } },
      { expect: { ...button('Twin'), count: 2 } },
      { expect: { css: 'iframe', attribute: { name: 'title', value: 'Frame' } } },
      { scroll: { text: 'The end' } },
      { scroll: { to: 'top' } },
    ]));

  it('uploads a file of its folder, and no others', async () => {
    writeFileSync(join(world.folder, 'cat.png'), 'cat');
    await passes([
      kit,
      { upload: { label: 'Picture', file: 'cat.png' } },
      { expect: { testId: 'file', text: 'cat.png' } },
    ]);
    expect(await message([kit, { upload: { label: 'Picture', file: '../../etc/passwd' } }])).to.match(
      /does not exist|outside the working folder/,
    );
    expect(await message([kit, { upload: { label: 'Picture', file: '/etc/passwd' } }])).to.include(
      'outside the working folder',
    );
  });

  it('answers dialogs as specified, and dismisses them by default', () =>
    passes([
      kit,
      { click: { testId: 'ask' } },
      { expect: { testId: 'ask', text: 'false' } },
      { dialog: 'accept' },
      { click: { testId: 'ask' } },
      { expect: { testId: 'ask', text: 'true' } },
      { dialog: { answer: 'Ann' } },
      { click: { testId: 'prompt' } },
      { expect: { testId: 'prompt', text: 'Ann' } },
    ]));

  it('works in frames and new windows', () =>
    passes([
      kit,
      { fill: { label: 'Card', frame: 'iframe', value: '4242' } },
      { click: { ...button('Take'), frame: 'iframe' } },
      { expect: { ...button('Taken'), frame: 'iframe' } },
      { click: { role: 'link', name: 'New window' } },
      { expect: { role: 'heading', name: 'Shop' } },
      { expect: { url: '/' } },
    ]));

  it('stores texts, attributes, URLs and results of JavaScript in variables', () =>
    passes([
      kit,
      { setVariable: { name: 'TITLE', from: { role: 'heading', name: 'Kit' } } },
      { setVariable: { name: 'SRC', from: { css: 'iframe' }, attribute: 'src' } },
      { setVariable: { name: 'PORT', from: 'url', match: ':(\\d+)/' } },
      { run: 'return [1, "{{TITLE}}"]', as: 'RESULT' },
      { fill: { label: 'Search', value: '{{TITLE}} {{SRC}} {{PORT}} {{RESULT}}' } },
      { expect: { label: 'Search', value: `Kit /frame ${new URL(world.shop.url).port} [1,"Kit"]` } },
    ]));

  it('evaluates conditions, runs groups, and shows both as nested steps', async () => {
    const { verdict, steps } = await world.run(
      [
        { group: 'open' },
        { if: { text: 'No such text' }, then: [{ click: { text: 'No such text' } }], else: [{ run: 'return 1' }] },
        { click: button('Gone'), optional: true, timeout: '100ms' },
      ],
      { groups: { open: [kit, { if: { url: '/kit' }, then: [{ expect: { text: 'Kit', nth: 1 } }] }] } },
    );
    expect(verdict).to.deep.equal({
      status: 'passed',
      notes: ['Step 7 is optional and failed: click the button “Gone”.'],
    });
    expect(
      steps.map(({ number, depth, title, status }) => `${number} ${'.'.repeat(depth)}${title}: ${status}`),
    ).to.deep.equal([
      '1 group “open”: passed',
      '2 .open /kit: passed',
      '3 .if the URL is /kit: yes: passed',
      '4 ..expect that the text “Kit” (number 1) is visible: passed',
      '5 if the text “No such text” is visible: no: passed',
      '6 .run return 1: passed',
      '7 click the button “Gone”: failed',
    ]);
  });

  it('explains why an element cannot be used', async () => {
    expect(await message([kit, { click: button('Slov') }])).to.include(
      'no button on the page matches. Similar: “Slow”',
    );
    expect(await message([kit, { click: button('Twin') }])).to.include(
      '2 elements match, such as <button> “Twin”, <button> “Twin”.',
    );
    expect(await message([kit, { click: { testId: 'hidden' } }])).to.include('the element exists but is hidden');
    expect(await message([kit, { click: button('Off') }])).to.include('the element is disabled.');
    expect(await message([kit, { fill: { label: 'Fixed', value: 'x' } }])).to.include('the element is read-only.');
    expect(await message([kit, { click: { css: 'p[' } }])).to.match(/selector/i);
    expect(
      await message([{ goto: '/cart', timeout: '10s' }, { select: { label: 'Country', option: 'Sveden' } }]),
    ).to.include('the select box has no such option. Options: “Norway”, “Sweden”, “Finland”.');
  });

  it('reports the actual value of a failed expectation', async () => {
    expect(await message([kit, { expect: { label: 'Fixed', value: 'x' } }])).to.include('the value is “as it is”.');
    expect(await message([kit, { expect: { ...button('Twin'), count: 3 } }])).to.include('2 elements match.');
    expect(await message([kit, { expect: { url: '/list' } }])).to.include(`the URL is ${world.shop.url}/kit.`);
    expect(await message([kit, { expect: { text: 'The end', hidden: true } }])).to.include(
      'the element is still visible.',
    );
    expect(await message([{ goto: 'http://127.0.0.1:1/' }])).to.match(
      /nothing answers at|cannot be opened \(net::ERR_UNSAFE_PORT\)/,
    );
    expect(await message([{ goto: '/x' }], { baseUrl: undefined })).to.include('the test has no baseUrl');
    expect(await message([kit, { run: 'throw new Error("my own")' }])).to.include('the JavaScript failed: my own');
  });

  it('explains each failed expectation', async () => {
    await passes([
      kit,
      {
        run: 'document.body.insertAdjacentHTML("beforeend", "<svg><text data-testid=drawn>In a drawing</text></svg>")',
      },
      { expect: { testId: 'drawn', text: 'In a drawing' } },
    ]);
    expect(await message([kit, { expect: { ...button('Twin'), enabled: true } }])).to.include('2 elements match');
    expect(await message([kit, { expect: { ...button('Point'), checked: true } }])).to.include('neither a checkbox');
    expect(await message([kit, { expect: { ...button('Point'), attribute: { name: 'x' } } }])).to.include(
      'the element has no attribute x.',
    );
    expect(await message([kit, { expect: { testId: 'hidden', visible: true } }])).to.include(
      'the element exists but is hidden',
    );
    expect(await message([kit, { expect: { css: 'p.none', text: 'x' } }])).to.include('no element on the page matches');
  });

  it('works on pages that replace built-in functions', () =>
    passes([
      kit,
      {
        run: 'window.getComputedStyle = () => { throw new Error("mine"); }; Element.prototype.getAttribute = () => "x"',
      },
      { expect: { role: 'heading', name: 'Kit' } },
      { expect: { css: 'iframe', attribute: { name: 'title', value: 'Frame' } } },
    ]));

  it('reports console messages and failed requests', async () => {
    const { steps } = await world.run([
      kit,
      { click: button('Fail') },
      { click: button('Log') },
      { waitFor: { time: '300ms' } },
    ]);
    const said = steps.flatMap(({ details = [] }) => details);
    expect(said).to.include.members([
      `GET ${world.shop.url}/nothing returned 404`,
      'Console: It broke',
      'Error in the page: uncaught',
    ]);
  });

  it('reports a failed request with the step that sent it, even if its response is late', async () => {
    world.shop.faults = { orderFails: true, orderDelayMs: 300 };
    try {
      const sent = `fetch('/orders', { method: 'POST', body: '{}' }).catch(() => {})`;
      const steps = [kit, { run: `void ${sent}` }, { expect: { text: 'Thank you' } }];
      expect(await message(steps)).to.include(`During the previous step, POST ${world.shop.url}/orders returned 500.`);
    } finally {
      world.shop.faults = {};
    }
  });

  it('keeps secrets out of all messages and the trace', async () => {
    const secret = 'hunter2-very-secret';
    const mask = createSecretMask([secret])!;
    const { verdict, steps, log, files } = await world.run(
      [
        { goto: '/cart' },
        { fill: { label: 'Email', value: '{{PASSWORD}}' } },
        { run: 'localStorage.x = "{{PASSWORD}}"; await fetch("/orders", { method: "POST", body: "{{PASSWORD}}" })' },
        { click: button('None') },
      ],
      {},
      { variables: { PASSWORD: secret }, mask: (text) => mask.text(text) },
    );
    expect(verdict.status).to.equal('failed');
    expect(JSON.stringify([verdict, steps, log])).not.to.include(secret);
    const trace = await textsOf(files.get('trace.zip')!);
    expect(trace).to.include('***');
    expect(trace).not.to.include(secret);
  });

  it('names a missing variable, and a missing file of storage state', async () => {
    const { verdict } = await world.run([{ goto: '/{{NOWHERE}}' }]);
    expect(verdict).to.include({ status: 'error', errorCode: 'VARIABLE_MISSING' });
    expect(await message([kit], { storageState: 'none.json' })).to.include('the file none.json does not exist');
  });

  it('starts with the configured storage state, viewport, locale and time zone', async () => {
    const origins = [
      { origin: world.shop.url, localStorage: [{ name: 'cart', value: '[{"name":"Cup","price":9.5}]' }] },
    ];
    writeFileSync(join(world.folder, 'state.json'), JSON.stringify({ cookies: [], origins }));
    await passes(
      [
        { goto: '/cart' },
        { expect: { testId: 'total', text: '9.50 EUR', exact: true } },
        {
          run: 'return [innerWidth, navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone]',
          as: 'SEEN',
        },
        { fill: { label: 'Email', value: '{{SEEN}}' } },
        { expect: { label: 'Email', value: '[640,"de-DE","Asia/Tokyo"]' } },
      ],
      { storageState: 'state.json', viewport: { width: 640, height: 480 }, locale: 'de-DE', timezone: 'Asia/Tokyo' },
    );
    await passes([kit, { run: 'if (!/iPhone/.test(navigator.userAgent)) throw new Error(navigator.userAgent)' }], {
      device: 'iPhone 13',
    });
  });

  it('rejects when the browser crashes, and the next attempt gets a new one', async () => {
    const running = world.run([kit, { waitFor: { time: '20s' } }]).then(
      () => 'a verdict',
      (error: Error) => error.message,
    );
    const pid = await eventually(() =>
      [...processesOf(world.workerId).values()].flat().find((one) => membersOf(one).length > 0),
    );
    process.kill(pid, 'SIGKILL');
    expect(await running).to.match(/The browser crashed/);
    await passes([kit, { expect: { role: 'heading', name: 'Kit' } }]);
  });

  it('takes screenshots and traces on request', async () => {
    const { files } = await world.run([kit, { screenshot: 'kit' }], { screenshots: 'always', trace: 'always' });
    expect([...files.keys()]).to.deep.equal(['screenshots/1.png', 'screenshots/kit.png', 'trace.zip']);
  });

  it('records a film strip only if the trace is always kept', async () => {
    const hasFilm = async (trace: 'always' | 'failure') => {
      const { files } = await world.run([kit, { click: button('None'), timeout: '300ms' }], { trace });
      return (await namesIn(files.get('trace.zip')!)).some((name) => name.endsWith('.jpeg'));
    };
    expect(await hasFilm('always')).to.equal(true);
    expect(await hasFilm('failure')).to.equal(false);
  });
});

describe('createBrowserRunner with network restrictions', () => {
  const world = useBrowserWorld();
  it('reaches private networks, but no link-local addresses or metadata services', async () => {
    const { port } = new URL(world.shop.url);
    const all = [{ expect: { text: 'All goods' } }];
    expect((await world.run([{ goto: `http://shop.localhost:${port}/list` }, ...all])).verdict.status).to.equal(
      'passed',
    );
    // The response is the worker's own: the metadata service of a cloud can return 403 too.
    const refused = [{ expect: { text: 'this worker blocks link-local addresses and metadata services' } }];
    for (const host of ['169.254.169.254', '[::ffff:a9fe:a9fe]']) {
      const { verdict, steps } = await world.run([{ goto: `http://${host}/latest/meta-data/` }, ...refused]);
      expect(verdict, host).to.deep.equal({ status: 'passed' });
      expect(JSON.stringify(steps)).to.include('returned 403');
    }
  });

  it('explains failed connections as without a proxy', async () => {
    const message = async (goto: string) => (await world.run([{ goto }])).verdict.errorMessage;
    const dead = await freePort();
    for (const scheme of ['http', 'https'])
      expect(await message(`${scheme}://127.0.0.1:${dead}/`)).to.include('refused the connection');
    expect(await message('http://no-such-host.invalid/')).to.include('cannot be resolved from this worker');
  });
});

describe('createBrowserRunner with private networks refused', () => {
  const world = useBrowserWorld({}, 'refuse');
  it('reaches none of them, by name or by address', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const { verdict, steps } = await world.run([
        { goto: `http://${host}:${new URL(world.shop.url).port}/list` },
        { expect: { text: 'All goods' } },
      ]);
      expect(verdict.status, host).to.equal('failed');
      expect(JSON.stringify(steps)).to.include('returned 403');
    }
  });
});

/** All entries of a zip file as one text. */
async function textsOf(zip: Buffer): Promise<string> {
  const file = await fromBufferPromise(zip);
  let text = '';
  for await (const entry of file.eachEntry())
    for await (const chunk of await file.openReadStreamPromise(entry)) text += (chunk as Buffer).toString('latin1');
  return text;
}

async function namesIn(zip: Buffer): Promise<string[]> {
  const names: string[] = [];
  for await (const { fileName } of (await fromBufferPromise(zip)).eachEntry()) names.push(fileName);
  return names;
}
