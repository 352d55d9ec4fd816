import { expect } from 'chai';
import { TARGET_KINDS } from '#src/domain/targets/target-kind.js';
import { randomId } from '#src/domain/ids.js';
import { addPerson } from '#test/support/people.js';
import { pageBrowser } from '#test/support/servers/page-browser.js';
import { PUBLIC_URL } from '#test/support/servers/real-server.js';
import { copiedFrom, ESCAPED, outsidePath, webhookWorld } from '#test/src/web/integrations/webhook-world.js';

describe('run via CLI or webhook', () => {
  const world = webhookWorld();

  for (const kind of TARGET_KINDS)
    it(`shows the full URL of a ${kind}, which starts a run`, async () => {
      const project = await world.project();
      const { status, html, headers } = await project.people.editor.get(outsidePath(kind, project));
      expect([status, headers['cache-control']]).to.deep.equal([200, 'no-store']);
      const url = copiedFrom(html, 'outside-url')!;
      const id = kind === 'test' ? project.testId : project.suiteId;
      expect(url).to.match(new RegExp(`^${PUBLIC_URL}/webhooks/rhwh_\\w+/${kind}s/run/${id}$`));

      const started = await world.post(url);
      expect(started.status).to.equal(200);
      const run = await world.real.collections.runs.findOne({ _id: started.body.id! });
      expect([run?.kind, run?.targetId, run?.triggeredBy.type]).to.deep.equal([kind, id, 'webhook']);

      const curl = copiedFrom(html, 'outside-curl');
      expect(curl).to.equal(`curl -X POST -H "Idempotency-Key: $(uuidgen)" \\\n'${url}'`);
      expect(html).to.include(`<form method="post" action="${new URL(url).pathname}" data-send-now="#outside-answer">`);
    });

  it('shows the command, quoted for a shell', async () => {
    const project = await world.project();
    const { html } = await project.people.editor.get(`${outsidePath('test', project)}?tab=cli`);
    expect(copiedFrom(html, 'outside-command')).to.equal(
      `runhook test run 'Buy "it" <script>alert(1)</script>' --project ${project.slug}`,
    );
    expect(copiedFrom(html, 'outside-settings')).to.include(`RUNHOOK_URL=${PUBLIC_URL}`);
    expect(html).to.include(ESCAPED).and.not.to.include('<script>alert');
    expect(html).to.match(/class="tab-pane active" id="outside-cli"/);
  });

  it('explains to people without access why the token is hidden, and who can help', async () => {
    const project = await world.project();
    const { status, html } = await project.people.viewer.get(outsidePath('suite', project));
    expect(status).to.equal(200);
    expect(html).not.to.include('rhwh_');
    expect(html).to.include('Your role cannot see the URL').and.to.include(`mailto:${project.people.owner.email}`);
    expect(html).to.include('does not allow you to start runs');
  });

  it('reports that no token is valid', async () => {
    const project = await world.project();
    await world.real.collections.webhookTokens.updateMany(
      { projectId: project.id },
      { $set: { revokedAt: new Date() } },
    );
    const of = async (who: 'owner' | 'editor') => (await project.people[who].get(outsidePath('test', project))).html;
    expect(await of('owner'))
      .to.include('no active webhook token')
      .and.to.include(`href="${project.path}"`);
    expect(await of('editor')).to.include(`mailto:${project.people.owner.email}`);
  });

  it('uses the newest of several tokens, and shows its restrictions', async () => {
    const project = await world.project();
    const before = copiedFrom((await project.people.owner.get(outsidePath('test', project))).html, 'outside-url');
    await project.people.owner.send(`${project.path}/rotate`, { key: 'k', keepOldForHours: '1' });
    await project.people.owner.send(`${project.path}/2/networks`, { allowedNetworks: '10.0.0.0/8' });
    const { html } = await project.people.owner.get(outsidePath('test', project));
    expect(copiedFrom(html, 'outside-url')).not.to.equal(before);
    expect(html).to.include('only from 10.0.0.0/8');
  });

  it('shows no commands for an archived target', async () => {
    const project = await world.project();
    await world.real.collections.tests.updateOne({ _id: project.testId }, { $set: { archivedAt: new Date() } });
    const { html } = await project.people.owner.get(outsidePath('test', project));
    expect(html).to.include('This test is archived').and.not.to.include('rhwh_');
  });

  it('renders only its content as a dialog, and nothing for strangers', async () => {
    const project = await world.project();
    const dialog = await world.real.server.inject({
      url: outsidePath('test', project),
      headers: { ...project.people.owner.sessionHeaders, accept: 'text/html', 'x-runhook-dialog': 'true' },
    });
    expect(dialog.payload).to.match(/^<!doctype html><div class="dialog-content"><h1>/);
    const stranger = pageBrowser(world.real.server, await addPerson(world.real.collections));
    expect((await stranger.get(outsidePath('test', project))).status).to.equal(404);
    expect((await stranger.get(`/tests/${randomId()}/run-from-outside`)).status).to.equal(404);
  });
});
