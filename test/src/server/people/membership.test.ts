import { expect } from 'chai';
import { randomId } from '../../../../src/domain/ids.js';
import { DATABASE_TIMEOUT_MS } from '../../../support/database.js';
import { addPerson, type PersonOptions } from '../../../support/people.js';
import { realServer, type RealServer } from '../../../support/real-server.js';
import { ask } from './asking.js';

describe('members and invitations', () => {
  let real: RealServer;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    real = await realServer();
  });
  after(() => real.close());

  const person = (options?: PersonOptions) => addPerson(real.collections, options);
  async function aProject() {
    const id = randomId();
    await real.collections.projects.insertOne({ _id: id, name: 'Shop', slug: id, revision: 1, createdAt: new Date() });
    return { id, owner: await person({ roles: { [id]: 'owner' } }), path: `/projects/${id}` };
  }
  const api = (method: string, path: string, headers: object, body?: object) =>
    ask(real.server, method, path, { headers, ...(body ? { body } : {}) });

  it('lets a new person in by an invitation’s link, once', async () => {
    const { id, owner, path } = await aProject();
    const invited = await api('POST', `${path}/invitations/`, owner.sessionHeaders, { role: 'editor' });
    expect(invited.status).to.equal(201);
    const token = invited.body.url.split('/').at(-1);
    expect(invited.body.url).to.equal(`http://runhook.test/invitations/${token}`);
    const listed = await api('GET', `${path}/invitations/`, owner.tokenHeaders);
    expect(listed.body.results.map(({ id }: { id: string }) => id)).to.deep.equal([invited.body.id]);
    expect(JSON.stringify(listed.body)).not.to.include(token);

    const look = await api('GET', `/auth/invitations/${token}/`, {});
    expect(look.body).to.include({ projectName: 'Shop', role: 'editor', email: null });
    const email = `${randomId()}@example.test`;
    const accept = (body: object) => api('POST', '/auth/accept-invitation/', {}, { token, ...body });
    expect((await accept({ email, password: 'short' })).body.fields[0].field).to.equal('password');
    expect((await accept({ email: owner.email, password: 'long enough 12' })).body.code).to.equal('email_taken');
    const accepted = await accept({ email, name: 'Grace', password: 'long enough 12' });
    expect(accepted.status).to.equal(200);
    expect(accepted.body.me).to.include({ email, name: 'Grace', isAdmin: false });
    expect((await api('GET', `${path}/members/`, { cookie: accepted.cookies })).status).to.equal(200);
    const role = (await real.collections.memberships.findOne({ projectId: id, userId: accepted.body.me.userId }))?.role;
    expect(role).to.equal('editor');

    const again = await accept({ email: `x${email}`, password: 'long enough 12' });
    expect(again.status).to.equal(404);
    expect((await api('GET', `/auth/invitations/${token}/`, {})).status).to.equal(404);
  });

  it('lets a signed-in person join, and lowers nobody’s role', async () => {
    const { id, owner, path } = await aProject();
    const joiner = await person();
    const invite = async (role: string) => {
      const { body } = await api('POST', `${path}/invitations/`, owner.tokenHeaders, { role });
      return body.url.split('/').at(-1) as string;
    };
    const accept = (token: string, headers: object) => api('POST', '/auth/accept-invitation/', headers, { token });
    const token = await invite('owner');
    const { cookie } = joiner.sessionHeaders;
    expect((await accept(token, { cookie })).status, 'without the CSRF token').to.equal(403);
    expect((await accept(token, joiner.sessionHeaders)).body).to.deep.equal({ projectId: id, me: null });
    expect((await accept(token, joiner.sessionHeaders)).status, 'the same person again').to.equal(200);
    expect((await accept(await invite('viewer'), joiner.sessionHeaders)).status).to.equal(200);
    const members = (await api('GET', `${path}/members/`, joiner.tokenHeaders)).body.results;
    expect(members.map(({ role }: { role: string }) => role)).to.deep.equal(['owner', 'owner']);
  });

  it('answers a repeated invitation with the same link, and other content under its key with 422', async () => {
    const { owner, path } = await aProject();
    const headers = { ...owner.tokenHeaders, 'idempotency-key': 'k1' };
    const first = await api('POST', `${path}/invitations/`, headers, { role: 'viewer' });
    const second = await api('POST', `${path}/invitations/`, headers, { role: 'viewer' });
    expect(second.body).to.deep.equal(first.body);
    expect((await api('POST', `${path}/invitations/`, headers, { role: 'owner' })).status).to.equal(422);
    expect(await real.collections.audit.countDocuments({ 'target.id': first.body.id })).to.equal(1);
  });

  it('revokes an invitation', async () => {
    const { owner, path } = await aProject();
    const { body } = await api('POST', `${path}/invitations/`, owner.tokenHeaders, { role: 'viewer' });
    expect((await api('DELETE', `${path}/invitations/${body.id}/`, owner.tokenHeaders)).status).to.equal(204);
    expect((await api('DELETE', `${path}/invitations/${body.id}/`, owner.tokenHeaders)).status).to.equal(404);
    expect((await api('GET', `/auth/invitations/${body.url.split('/').at(-1)}/`, {})).status).to.equal(404);
  });

  it('keeps the last owner, also when two owners take each other’s role at once', async () => {
    const { id, owner, path } = await aProject();
    const self = `${path}/members/${owner.userId}/`;
    const refused = await api('DELETE', self, owner.tokenHeaders);
    expect([refused.status, refused.body.code]).to.deep.equal([409, 'last_owner']);
    expect((await api('PATCH', self, owner.tokenHeaders, { role: 'viewer' })).body.code).to.equal('last_owner');

    const other = await person({ roles: { [id]: 'owner' } });
    await Promise.all([
      api('DELETE', `${path}/members/${other.userId}/`, owner.tokenHeaders),
      api('PATCH', self, other.tokenHeaders, { role: 'viewer' }),
    ]);
    expect(await real.collections.memberships.countDocuments({ projectId: id, role: 'owner' })).to.be.at.least(1);
  });

  it('does not count a disabled owner', async () => {
    const { id, owner, path } = await aProject();
    const disabled = await person({ roles: { [id]: 'owner' } });
    await real.collections.users.updateOne({ _id: disabled.userId }, { $set: { disabledAt: new Date() } });
    const refused = await api('DELETE', `${path}/members/${owner.userId}/`, owner.tokenHeaders);
    expect(refused.body.code).to.equal('last_owner');
  });

  it('changes and ends memberships; both are in the project’s audit, page by page', async () => {
    const { id, owner, path } = await aProject();
    const member = await person({ roles: { [id]: 'viewer' } });
    const at = `${path}/members/${member.userId}/`;
    expect((await api('PATCH', at, owner.tokenHeaders, { role: 'editor' })).body.role).to.equal('editor');
    expect((await api('DELETE', at, owner.tokenHeaders)).status).to.equal(204);
    expect((await api('GET', `${path}/members/`, member.tokenHeaders)).status).to.equal(404);

    const first = (await api('GET', `${path}/audit/?limit=1`, owner.tokenHeaders)).body;
    expect(first.count).to.equal(2);
    expect(first.results[0]).to.deep.include({ action: 'member.remove', projectId: id, from: '127.0.0.1' });
    expect(first.results[0].actor).to.include({ type: 'user', name: owner.email });
    const second = (await api('GET', pathOf(first.next), owner.tokenHeaders)).body;
    expect(second.results[0]).to.deep.include({ action: 'member.changeRole' });
    expect(second.results[0].details).to.deep.equal({ before: 'viewer', after: 'editor' });
    expect(second.next).to.equal(null);
    expect((await api('GET', pathOf(second.previous), owner.tokenHeaders)).body.results).to.deep.equal(first.results);
  });
}).timeout(30_000);

function pathOf(url: string): string {
  return url.slice('http://runhook.test/api/v2'.length);
}
