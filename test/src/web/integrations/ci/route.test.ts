import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { CI_SNIPPETS } from '#src/web/texts/ci-snippets.js';
import { PUBLIC_URL } from '#test/support/servers/real-server.js';
import { copiedFrom, ESCAPED, webhookWorld } from '#test/src/web/integrations/webhook-world.js';

describe('integrations, CI snippets', () => {
  const world = webhookWorld();

  it('are the files of examples/ci, with a suite of the project', async () => {
    const project = await world.project();
    const { html } = await project.people.editor.get(`/projects/${project.id}/integrations/ci`);
    const example = await readFile(new URL('../../../../../examples/ci/github-actions.yml', import.meta.url), 'utf8');
    const snippet = copiedFrom(html, 'ci-github-text')!;
    expect(snippet)
      .to.equal(example.replace('suite run Smoke', `suite run ${project.suiteId}`))
      .and.not.to.equal(example);
    for (const { id } of CI_SNIPPETS.filter(({ id }) => id !== 'webhook'))
      expect(copiedFrom(html, `ci-${id}-text`), id).to.include(project.suiteId);
    expect(copiedFrom(html, 'ci-url')).to.equal(PUBLIC_URL);
    expect(html).to.include(ESCAPED).and.not.to.include('<script>alert');
  });

  it('opens the one in the URL, for the suite in the URL', async () => {
    const project = await world.project();
    const path = `/projects/${project.id}/integrations/ci`;
    const { html } = await project.people.viewer.get(`${path}?for=jenkins&suite=${project.suiteId}`);
    expect(html).to.match(/class="tab-pane active" id="ci-jenkins"/);
    expect(html).to.include('does not allow you to start runs');
    expect((await project.people.viewer.get(`${path}?for=nothing`)).status).to.equal(400);
  });

  it('contain a placeholder when there is no suite', async () => {
    const project = await world.project();
    await world.real.collections.suites.deleteOne({ _id: project.suiteId });
    const { html } = await project.people.owner.get(`/projects/${project.id}/integrations/ci?for=gitlab`);
    expect(html).to.include('This project has no suites yet');
    expect(copiedFrom(html, 'ci-gitlab-text')).to.include('suite run Smoke');
  });
});
