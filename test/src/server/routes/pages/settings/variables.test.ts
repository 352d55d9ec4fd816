import { expect } from 'chai';
import { settingsWorld } from './settings-world.js';

describe('settings, variables', () => {
  const world = settingsWorld();

  const row = (index: number, key: string, value: string, isSecret = false, kept?: string) => ({
    [`variables.${index}.key`]: key,
    [`variables.${index}.value`]: value,
    ...(isSecret ? { [`variables.${index}.isSecret`]: 'true' } : {}),
    ...(kept === undefined ? {} : { [`variables.${index}.kept`]: kept }),
  });

  async function withProfile() {
    const { id, path, people } = await world.project();
    const fields = { name: 'Staging', ...row(0, 'BASE_URL', 'https://<b>.test'), ...row(3, 'PASSWORD', 'hush', true) };
    const made = await people.editor.send(`${path}/variables/new`, fields);
    expect([made.status, made.location]).to.deep.equal([303, `${path}/variables`]);
    const stored = async () => (await world.real.collections.profiles.findOne({ projectId: id, name: 'Staging' }))!;
    return { path, people, stored, profile: `${path}/variables/${(await stored())._id}` };
  }

  it('teach where there are none, and offer a new one to editors only', async () => {
    const { path, people } = await world.project();
    expect((await people.viewer.get(`${path}/variables`)).html)
      .to.include('No profile yet')
      .and.not.to.include('/new"');
    expect((await people.editor.get(`${path}/variables`)).html).to.include(`${path}/variables/new`);
    expect((await people.viewer.get(`${path}/variables/new`)).status).to.equal(403);
    expect((await people.editor.get(`${path}/variables/new`)).html).to.include('name="variables.0.key"');
  });

  it('are made, and never show a secret value', async () => {
    const { path, people, stored, profile } = await withProfile();
    expect((await stored()).variables.map(({ key, isSecret }) => [key, isSecret])).to.deep.equal([
      ['BASE_URL', false],
      ['PASSWORD', true],
    ]);
    expect((await people.viewer.get(`${path}/variables`)).html)
      .to.include('2 variables')
      .and.to.include('PASSWORD');
    for (const who of Object.values(people)) {
      const { html } = await who.get(profile);
      expect(html).to.include('https://&lt;b>.test').and.not.to.include('hush');
      expect(html).to.match(/set, not shown/i);
    }
    expect((await people.viewer.get(profile)).html).not.to.include('name="variables.0.key"');
    expect((await people.viewer.send(profile, { name: 'x' })).status).to.equal(403);
  });

  it('keep a secret value that is left empty, and replace one that is typed', async () => {
    const { people, stored, profile } = await withProfile();
    const before = (await stored()).variables[1]!.sealed;
    const keep = await people.editor.send(profile, {
      name: 'Staging',
      revision: '1',
      ...row(0, 'BASE_URL', 'two\r\nlines'),
      ...row(1, 'PASSWORD', '', true, 'PASSWORD'),
    });
    expect(keep.status).to.equal(303);
    expect((await stored()).variables[0]!.value).to.equal('two\nlines');
    expect((await stored()).variables[1]!.sealed).to.equal(before);
    await people.editor.send(profile, {
      name: 'Staging',
      revision: '2',
      ...row(0, 'PASSWORD', 'new', true, 'PASSWORD'),
    });
    expect((await stored()).variables).to.have.length(1);
    expect((await stored()).variables[0]!.sealed).not.to.equal(before);
  });

  it('do not let a secret value become plain or move to another name', async () => {
    const { people, profile } = await withProfile();
    const plain = await people.editor.send(profile, {
      name: 'Staging',
      revision: '1',
      ...row(0, 'PASSWORD', '', false, 'PASSWORD'),
    });
    expect(plain.status).to.equal(400);
    expect(plain.html).to.match(/id="variable-0-problem">A secret value is not shown again/);
    const moved = await people.editor.send(profile, {
      name: 'Staging',
      revision: '1',
      ...row(0, 'SECRET', '', true, 'PASSWORD'),
    });
    expect(moved.status).to.equal(400);
    expect(moved.html).to.match(/id="variable-0-problem">A secret value does not move/);
  });

  it('say what is wrong at its row, and keep what was typed', async () => {
    const { path, people } = await world.project();
    const { status, html } = await people.editor.send(`${path}/variables/new`, {
      name: ' ',
      ...row(0, '', ''),
      ...row(1, 'GOOD', '1'),
      ...row(2, '9 bad', '<u>'),
      ...row(3, 'GOOD', '2'),
    });
    expect(status).to.equal(400);
    expect(html).to.match(/id="name-problem">Must be a name/);
    expect(html).to.match(/id="variable-1-problem">[^<]*no name for a variable/);
    expect(html).to.match(/id="variable-2-problem">[^<]*each key may be there once/);
    expect(html).to.include('value="9 bad"').and.to.include('&lt;u>');
  });

  it('keep the revision that the form was opened with after any other error', async () => {
    const { people, profile } = await withProfile();
    const fields = { name: 'Staging', ...row(0, 'A', '1') };
    expect((await people.editor.send(profile, { ...fields, revision: '1' })).status).to.equal(303);
    const wrong = await people.editor.send(profile, { ...fields, name: '', revision: '1' });
    expect([wrong.status, wrong.html.includes('name="revision" value="1"')]).to.deep.equal([400, true]);
    const late = await people.editor.send(profile, { ...fields, revision: '1' });
    expect([late.status, late.html.includes('name="revision" value="2"')]).to.deep.equal([412, true]);
    expect((await people.editor.send(profile, { ...fields, revision: 'NaN' })).status).to.equal(400);
  });

  it('get and lose rows without a script, and save nothing by it', async () => {
    const { people, stored, profile } = await withProfile();
    const fields = { name: 'Staging', revision: '1', ...row(0, '', ''), ...row(1, 'A', '1'), ...row(2, 'B', '2') };
    const added = await people.editor.send(profile, { ...fields, step: 'add' });
    expect(added.status).to.equal(200);
    expect(added.html.match(/name="variables\.\d+\.key"/g)).to.have.length(4);
    const removed = await people.editor.send(profile, { ...fields, step: 'remove 1' });
    expect(removed.html).to.include('value="B"').and.not.to.include('value="A"');
    expect((await stored()).revision).to.equal(1);
  });

  it('have one default, and go after a question', async () => {
    const { path, people, stored, profile } = await withProfile();
    await people.editor.send(`${path}/variables/new`, { name: 'Other', isDefault: 'true' });
    const made = await people.editor.send(`${profile}/default`);
    expect(made.location).to.equal(`${path}/variables`);
    expect((await people.editor.follow(made)).html).to.include('“Staging” is the default now.');
    expect((await stored()).isDefault).to.equal(true);
    expect((await people.viewer.get(`${path}/variables`)).html.match(/>default</g)).to.have.length(1);
    expect((await people.editor.get(`${profile}/remove`)).html).to.include('It is the default');
    expect((await people.editor.send(`${profile}/remove`)).status).to.equal(303);
    expect((await people.viewer.get(profile)).status).to.equal(404);
  });

  it('are not found below another project', async () => {
    const { profile } = await withProfile();
    const other = await world.project();
    const id = profile.split('/').at(-1)!;
    const elsewhere = `${other.path}/variables/${id}`;
    expect((await other.people.owner.get(elsewhere)).status).to.equal(404);
    for (const action of ['', '/remove', '/default'])
      expect((await other.people.owner.send(elsewhere + action, { name: 'x', revision: '1' })).status).to.equal(404);
  });

  it('take a name once, and say so', async () => {
    const { path, people } = await withProfile();
    const again = await people.editor.send(`${path}/variables/new`, { name: 'Staging', ...row(0, 'A', '1') });
    expect(again.status).to.equal(409);
    expect(again.html).to.include('a profile of this name already').and.to.include('value="A"');
  });
});
