import { expect } from 'chai';
import { suiteRun, testRun } from '#test/builders/sample-runs.js';
import { PUBLIC_URL } from '#test/support/servers/real-server.js';
import { copiedFrom, ESCAPED, webhookWorld, type WebhookProject } from '#test/src/web/integrations/webhook-world.js';

describe('integrations, webhooks', () => {
  const world = webhookWorld();
  const page = async ({ people, path }: WebhookProject, who: keyof typeof people = 'owner') => people[who].get(path);

  it('shows the URL templates of the spec, masked, and copyable in plain text', async () => {
    const project = await world.project();
    expect((await project.people.editor.get(`/projects/${project.id}/integrations`)).location).to.equal(project.path);
    const { status, html, headers } = await page(project, 'editor');
    expect([status, headers['cache-control']]).to.deep.equal([200, 'no-store']);
    const token = copiedFrom(html, 'token-1')!;
    expect(token).to.match(/^rhwh_\w{49}$/);
    expect(copiedFrom(html, 'test-url')).to.equal(`${PUBLIC_URL}/webhooks/${token}/tests/run/<TEST_ID>`);
    expect(copiedFrom(html, 'suite-url')).to.equal(`${PUBLIC_URL}/webhooks/${token}/suites/run/<SUITE_ID>`);
    const visible = html.replace(/<[^>]*>/g, '');
    expect(visible)
      .to.include(`rhwh_••••••••${token.slice(-4)}`)
      .and.not.to.include(token);
    const shown = (await project.people.editor.get(`${project.path}?show=token`)).html.replace(/<[^>]*>/g, '');
    expect(shown).to.include(token);

    const url = copiedFrom(html, 'suite-url')!.replace('<SUITE_ID>', project.suiteId);
    expect((await world.post(url)).status).to.equal(200);
  });

  it('shows no token to viewers, and offers editors no changes', async () => {
    const project = await world.project();
    const viewer = await page(project, 'viewer');
    expect(viewer.html).not.to.include('rhwh_');
    expect(viewer.html)
      .to.include('&lt;WEBHOOK_TOKEN>')
      .and.to.include(`mailto:${project.people.owner.email}`)
      .and.not.to.include('<script>alert');
    const editor = await page(project, 'editor');
    expect(editor.html).not.to.include('/rotate').and.not.to.include('/revoke');
    expect((await page(project)).html)
      .to.include(`${project.path}/rotate`)
      .and.to.include(`${project.path}/1/revoke`);
    for (const path of ['rotate', '1/revoke', '1/networks'])
      for (const who of ['viewer', 'editor'] as const) {
        expect((await project.people[who].get(`${project.path}/${path}`)).status).to.equal(403);
        expect((await project.people[who].send(`${project.path}/${path}`)).status).to.equal(403);
      }
  });

  it('lists the latest webhook calls, without runs of other triggers', async () => {
    const project = await world.project();
    expect((await page(project)).html).to.include('No recent calls');
    const { id: projectId, testId, suiteId } = project;
    const at = (seconds: number) => new Date(Date.now() - 60_000 + seconds * 1000);
    const suite = suiteRun({ projectId, targetId: suiteId, targetName: 'By webhook <b>', queuedAt: at(1) });
    await world.real.collections.runs.insertMany([
      suite,
      testRun({ projectId, targetId: testId, targetName: 'Later', status: 'failed', queuedAt: at(2) }),
      testRun({ projectId, targetId: testId, targetName: 'By web', queuedAt: at(3), triggeredBy: { type: 'web' } }),
      testRun({ projectId, targetName: 'In the suite', suiteRunId: suite._id, triggeredBy: { type: 'suite' } }),
    ]);
    const { html } = await page(project, 'viewer');
    expect(html).not.to.include('By web<').and.not.to.include('In the suite');
    expect(html.indexOf('Later')).to.be.greaterThan(0).and.lessThan(html.indexOf('By webhook &lt;b>'));
    expect(html).to.include(`href="/runs/${suite._id}"`).and.to.include(`href="/suites/${suiteId}"`);
  });

  it('rotates: the previous token stays valid for the selected time; resubmitting the form creates no second token', async () => {
    const project = await world.project();
    const { owner } = project.people;
    const old = copiedFrom((await page(project)).html, 'test-url')!.replace('<TEST_ID>', project.testId);
    const asked = (await owner.get(`${project.path}/rotate`)).html;
    expect(asked)
      .to.include(ESCAPED)
      .and.to.match(/<option value="24" selected/);
    const key = /name="key" value="([^"]+)"/.exec(asked)![1]!;
    for (let times = 0; times < 2; times++) {
      const sent = await owner.send(`${project.path}/rotate`, { key, keepOldForHours: '72' });
      expect([sent.status, sent.location]).to.deep.equal([303, project.path]);
    }
    const { html } = await page(project);
    expect(html).to.include('Token 2').and.to.include('Token 1').and.not.to.include('Token 3');
    expect(copiedFrom(html, 'test-url')).to.include(copiedFrom(html, 'token-2')!);
    expect((await world.post(old)).status).to.equal(200);
    const record = await world.real.collections.webhookTokens.findOne({ projectId: project.id, number: 1 });
    expect(record!.expiresAt!.getTime() - Date.now()).to.be.closeTo(72 * 3_600_000, 60_000);

    await owner.send(`${project.path}/rotate`, { key: 'another', keepOldForHours: '0' });
    expect((await world.post(old)).status).to.equal(404);
    expect((await page(project)).html).to.include('Earlier tokens (2)');
  });

  it('shows errors of a time at its field', async () => {
    const project = await world.project();
    const { status, html } = await project.people.owner.send(`${project.path}/rotate`, {
      key: 'k',
      keepOldForHours: '9999',
    });
    expect(status).to.equal(400);
    expect(html).to.match(/id="keepOldForHours-problem">[^<]*720/);
    expect(html).to.include('name="key" value="k"');
  });

  it('revokes after a confirmation that states the consequences', async () => {
    const project = await world.project();
    const { owner } = project.people;
    const url = copiedFrom((await page(project)).html, 'test-url')!.replace('<TEST_ID>', project.testId);
    expect((await owner.get(`${project.path}/1/revoke`)).html).to.include('This is the only active token');
    expect((await owner.send(`${project.path}/1/revoke`)).location).to.equal(project.path);
    expect((await world.post(url)).status).to.equal(404);
    const { html } = await page(project);
    expect(html).to.include('This project has no active webhook token').and.to.include('Create token');
    expect((await owner.get(`${project.path}/rotate`)).html).to.include('Create a webhook token?');
    expect((await owner.get(`${project.path}/7/revoke`)).status).to.equal(404);
  });

  it('restricts a token to networks, and shows errors at the field', async () => {
    const project = await world.project();
    const { owner } = project.people;
    const networks = `${project.path}/1/networks`;
    const wrong = await owner.send(networks, { allowedNetworks: '10.0.0.0/8\n<here>' });
    expect(wrong.status).to.equal(400);
    expect(wrong.html).to.match(/id="allowedNetworks-problem">“&lt;here>” is neither an address nor a network/);
    expect(wrong.html).to.include('10.0.0.0/8\n&lt;here></textarea>');
    await owner.send(networks, { allowedNetworks: '10.0.0.0/8, 192.0.2.7\n' });
    expect((await page(project)).html).to.include('10.0.0.0/8, 192.0.2.7');
    expect((await owner.get(networks)).html).to.include('10.0.0.0/8\n192.0.2.7</textarea>');
    await owner.send(networks, { allowedNetworks: ' ' });
    expect((await page(project)).html).to.include('everywhere');
  });
});
