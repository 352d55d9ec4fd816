import { expect } from 'chai';
import { settingsWorld } from '#test/src/web/settings/settings-world.js';

describe('settings, variables', () => {
  const world = settingsWorld();

  const row = (index: number, key: string, value: string, isSecret = false, kept?: string) => ({
    [`variables.${index}.key`]: key,
    [`variables.${index}.value`]: value,
    ...(isSecret ? { [`variables.${index}.isSecret`]: 'true' } : {}),
    ...(kept === undefined ? {} : { [`variables.${index}.kept`]: kept }),
  });

  async function withVariableSet() {
    const { id, path, people } = await world.project();
    const fields = { name: 'Staging', ...row(0, 'BASE_URL', 'https://<b>.test'), ...row(3, 'PASSWORD', 'hush', true) };
    const made = await people.editor.send(`${path}/variables/new`, fields);
    expect([made.status, made.location]).to.deep.equal([303, `${path}/variables`]);
    const stored = async () => (await world.real.collections.variableSets.findOne({ projectId: id, name: 'Staging' }))!;
    return { path, people, stored, variableSet: `${path}/variables/${(await stored())._id}` };
  }

  it('explain variables when there are none, and offer a new set to editors only', async () => {
    const { path, people } = await world.project();
    expect((await people.viewer.get(`${path}/variables`)).html)
      .to.include('No variable sets yet')
      .and.not.to.include('/new"');
    expect((await people.editor.get(`${path}/variables`)).html).to.include(`${path}/variables/new`);
    expect((await people.viewer.get(`${path}/variables/new`)).status).to.equal(403);
    expect((await people.editor.get(`${path}/variables/new`)).html).to.include('name="variables.0.key"');
  });

  it('create sets, and never show a secret value', async () => {
    const { path, people, stored, variableSet } = await withVariableSet();
    expect((await stored()).variables.map(({ key, isSecret }) => [key, isSecret])).to.deep.equal([
      ['BASE_URL', false],
      ['PASSWORD', true],
    ]);
    expect((await people.viewer.get(`${path}/variables`)).html)
      .to.include('2 variables')
      .and.to.include('PASSWORD');
    for (const who of Object.values(people)) {
      const { html } = await who.get(variableSet);
      expect(html).to.include('https://&lt;b>.test').and.not.to.include('hush');
      expect(html).to.match(/\(hidden\)/i);
    }
    expect((await people.viewer.get(variableSet)).html).not.to.include('name="variables.0.key"');
    expect((await people.viewer.send(variableSet, { name: 'x' })).status).to.equal(403);
  });

  it('keep a secret value that is left empty, and replace one that is entered', async () => {
    const { people, stored, variableSet } = await withVariableSet();
    const before = (await stored()).variables[1]!.sealed;
    const keep = await people.editor.send(variableSet, {
      name: 'Staging',
      revision: '1',
      ...row(0, 'BASE_URL', 'two\r\nlines'),
      ...row(1, 'PASSWORD', '', true, 'PASSWORD'),
    });
    expect(keep.status).to.equal(303);
    expect((await stored()).variables[0]!.value).to.equal('two\nlines');
    expect((await stored()).variables[1]!.sealed).to.equal(before);
    await people.editor.send(variableSet, {
      name: 'Staging',
      revision: '2',
      ...row(0, 'PASSWORD', 'new', true, 'PASSWORD'),
    });
    expect((await stored()).variables).to.have.length(1);
    expect((await stored()).variables[0]!.sealed).not.to.equal(before);
  });

  it('do not make a secret value plain or move it to another name', async () => {
    const { people, variableSet } = await withVariableSet();
    const plain = await people.editor.send(variableSet, {
      name: 'Staging',
      revision: '1',
      ...row(0, 'PASSWORD', '', false, 'PASSWORD'),
    });
    expect(plain.status).to.equal(400);
    expect(plain.html).to.match(/id="variable-0-problem">A secret value cannot be made visible/);
    const moved = await people.editor.send(variableSet, {
      name: 'Staging',
      revision: '1',
      ...row(0, 'SECRET', '', true, 'PASSWORD'),
    });
    expect(moved.status).to.equal(400);
    expect(moved.html).to.match(/id="variable-0-problem">Renaming a secret variable clears/);
  });

  it('show errors at their rows, and keep the input', async () => {
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
    expect(html).to.match(/id="variable-1-problem">[^<]*not a valid variable name/);
    expect(html).to.match(/id="variable-2-problem">[^<]*use each key only once/);
    expect(html).to.include('value="9 bad"').and.to.include('&lt;u>');
  });

  it('keep the revision of the opened form after any other error', async () => {
    const { people, variableSet } = await withVariableSet();
    const fields = { name: 'Staging', ...row(0, 'A', '1') };
    expect((await people.editor.send(variableSet, { ...fields, revision: '1' })).status).to.equal(303);
    const wrong = await people.editor.send(variableSet, { ...fields, name: '', revision: '1' });
    expect([wrong.status, wrong.html.includes('name="revision" value="1"')]).to.deep.equal([400, true]);
    const late = await people.editor.send(variableSet, { ...fields, revision: '1' });
    expect([late.status, late.html.includes('name="revision" value="2"')]).to.deep.equal([412, true]);
    expect((await people.editor.send(variableSet, { ...fields, revision: 'NaN' })).status).to.equal(400);
  });

  it('show the current variables after concurrent changes, without secret values', async () => {
    const { people, variableSet } = await withVariableSet();
    const theirs = { ...row(0, 'A', 'theirs'), ...row(1, 'KEY', 'canary', true) };
    await people.editor.send(variableSet, { name: 'Staging', revision: '1', ...theirs });
    const late = await people.editor.send(variableSet, { name: 'Mine', revision: '1', ...row(0, 'A', 'mine') });
    expect(late.status).to.equal(412);
    expect(late.html)
      .to.include('id="name-problem">Current value: Staging<')
      .and.include('Current value: A=theirs\nKEY (secret)<')
      .and.not.include('canary');
  });

  it('add and remove rows without a script, and save nothing by it', async () => {
    const { people, stored, variableSet } = await withVariableSet();
    const fields = { name: 'Staging', revision: '1', ...row(0, '', ''), ...row(1, 'A', '1'), ...row(2, 'B', '2') };
    const added = await people.editor.send(variableSet, { ...fields, step: 'add' });
    expect(added.status).to.equal(200);
    expect(added.html.match(/name="variables\.\d+\.key"/g)).to.have.length(4);
    const removed = await people.editor.send(variableSet, { ...fields, step: 'remove 1' });
    expect(removed.html).to.include('value="B"').and.not.to.include('value="A"');
    expect((await stored()).revision).to.equal(1);
  });

  it('have one default, and are deleted after confirmation', async () => {
    const { path, people, stored, variableSet } = await withVariableSet();
    await people.editor.send(`${path}/variables/new`, { name: 'Other', isDefault: 'true' });
    const made = await people.editor.send(`${variableSet}/default`);
    expect(made.location).to.equal(`${path}/variables`);
    expect((await people.editor.follow(made)).html).to.include('“Staging” is now the default.');
    expect((await stored()).isDefault).to.equal(true);
    expect((await people.viewer.get(`${path}/variables`)).html.match(/>default</g)).to.have.length(1);
    expect((await people.editor.get(`${variableSet}/remove`)).html).to.include('the default variable set');
    expect((await people.editor.send(`${variableSet}/remove`)).status).to.equal(303);
    expect((await people.viewer.get(variableSet)).status).to.equal(404);
  });

  it('are not found below another project', async () => {
    const { variableSet } = await withVariableSet();
    const other = await world.project();
    const id = variableSet.split('/').at(-1)!;
    const elsewhere = `${other.path}/variables/${id}`;
    expect((await other.people.owner.get(elsewhere)).status).to.equal(404);
    for (const action of ['', '/remove', '/default'])
      expect((await other.people.owner.send(elsewhere + action, { name: 'x', revision: '1' })).status).to.equal(404);
  });

  it('reject a duplicate name', async () => {
    const { path, people } = await withVariableSet();
    const again = await people.editor.send(`${path}/variables/new`, { name: 'Staging', ...row(0, 'A', '1') });
    expect(again.status).to.equal(409);
    expect(again.html).to.include('already has a variable set with this name').and.to.include('value="A"');
  });
});
