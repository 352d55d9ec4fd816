import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { processesWith } from '#test/fixtures/commands/support.js';
import { eventually } from '#test/support/eventually.js';
import { useBrowserWorld } from './support.js';

/** A hostile page ends with a clear verdict, and the browser serves others as before. */
describe('createBrowserRunner on hostile pages', () => {
  const world = useBrowserWorld();
  const press = (path: string) => [
    { goto: path },
    { click: { role: 'button', name: 'Go' } },
    { expect: { text: 'Still here' } },
  ];
  afterEach('the browser serves others', async () => {
    const { verdict } = await world.run([{ goto: '/list' }, { expect: { role: 'heading', name: 'All goods' } }]);
    expect(verdict).to.deep.equal({ status: 'passed' });
  });

  it('endless dialogs', async () => {
    const { verdict } = await world.run(press('/bad/dialogs'), { stepTimeout: '10s' });
    expect(verdict.status).to.equal('failed');
    expect(verdict.errorMessage).to.include(
      'Step 2 of 3, click the button “Go”: the page opened more than 100 dialogs',
    );
  });

  it('an endless loop in the page', async () => {
    const { verdict, steps } = await world.run(press('/bad/loop'));
    expect(verdict.status).to.equal('failed');
    expect(verdict.errorMessage).to.match(/its JavaScript has been running for 2 s|was not ready in time/);
    expect(steps.map(({ status }) => status)).to.include('failed');
  });

  it("an endless loop in a step's JavaScript", async () => {
    const { verdict } = await world.run([{ goto: '/' }, { run: 'for (;;);' }]);
    expect(verdict.errorMessage).to.include('its JavaScript has been running for 2 s, possibly in an infinite loop');
  });

  it('too many redirects, and a response that never arrives', async () => {
    const loop = await world.run([{ goto: '/loop?1' }]);
    expect(loop.verdict.errorMessage).to.match(/\/loop\?1 redirects too many times\./);
    const never = await world.run([{ goto: '/never' }]);
    expect(never.verdict.errorMessage).to.match(/\/never did not load within 2 s\./);
  });

  it('endless windows', async () => {
    const { verdict } = await world.run(press('/bad/popups'));
    expect(verdict.errorMessage).to.include('the page opened more than 20 windows or tabs.');
  });

  it('endless downloads', async () => {
    const { verdict } = await world.run(press('/bad/downloads'), { stepTimeout: '20s' });
    expect(verdict.errorMessage).to.include('the page started more than 50 downloads.');
  });

  it('truncates a flood on the console', async () => {
    const { verdict, steps, log } = await world.run(press('/bad/console'), { stepTimeout: '20s' });
    expect(verdict.status).to.equal('passed');
    const details = steps.flatMap(({ details = [] }) => details);
    expect(details.length).to.be.within(20, 63);
    expect(log.length).to.be.below(60_000);
  });

  it('URLs of the worker’s files and of the browser', async () => {
    for (const address of [
      'file:///etc/passwd',
      'view-source:http://127.0.0.1/',
      'chrome://version',
      'javascript:alert(1)',
    ]) {
      const { verdict } = await world.run([{ goto: address }]);
      expect(verdict.errorMessage, address).to.include('only http and https URLs are allowed');
    }
    const { verdict } = await world.run([
      { goto: '/' },
      { run: "location.href = 'file:///etc/passwd'" },
      { expect: { text: 'root:' } },
    ]);
    expect(verdict.status).to.equal('failed');
  });

  for (const path of ['/bad/loop', '/bad/dialogs', '/bad/console'])
    it(`a stop on ${path} takes less than 6 s`, async () => {
      const stop = new AbortController();
      const running = world.run(
        [...press(path), { waitFor: { time: '1m' } }],
        { stepTimeout: '1m' },
        { signal: stop.signal },
      );
      await sleep(1500);
      const asked = performance.now();
      stop.abort();
      expect((await running).verdict.status).to.be.oneOf(['stopped', 'failed']);
      expect(performance.now() - asked).to.be.below(6000);
    });

  it('leaves no process of a page behind; the browser’s own remain', async () => {
    await world.browsers.close();
    await eventually(() => expect(processesWith(world.workerId)).to.deep.equal([]));
    // Its tests are over: a closed pool starts no browsers.
    world.run = async () => ({ verdict: { status: 'passed' }, steps: [], files: new Map(), log: '' });
  });
});
