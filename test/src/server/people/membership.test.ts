import { expect } from 'chai';
import { createAuditStore } from '#src/db/instance/audit-store.js';
import { createInvitationStore } from '#src/db/people/invitation-store.js';
import { createMembershipStore } from '#src/db/people/membership-store.js';
import { createUserStore } from '#src/db/people/user-store.js';
import { randomId } from '#src/domain/ids.js';
import { hashOfToken } from '#src/domain/tokens/token-format.js';
import { createAudit } from '#src/services/people/audit-log.js';
import { createInvitationAcceptance } from '#src/services/people/accept-invitation.js';
import { createPasswordHasher } from '#src/services/people/password-hasher.js';
import { createSignInThrottle } from '#src/services/people/sign-in-throttle.js';
import { aClock } from '#test/builders/clock.js';
import { DATABASE_TIMEOUT_MS } from '#test/support/database.js';
import { addApiToken, addPerson, type PersonOptions } from '#test/support/people.js';
import { realServer, type RealServer } from '#test/support/servers/real-server.js';
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

  const invitationDeps = () => ({
    invitations: createInvitationStore(real.collections),
    memberships: createMembershipStore(real.collections),
    hasher: createPasswordHasher(),
    throttle: createSignInThrottle(real.collections),
    openSession: () => Promise.reject(new Error('not part of this test')),
    audit: createAudit(createAuditStore(real.collections), aClock()),
    secretKeys: [Buffer.alloc(32)],
    clock: aClock(),
    projectName: async () => 'Shop',
  });

  it('lets a new person join with an invitation link, once', async () => {
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

  it('lets a signed-in person join, and lowers no role', async () => {
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

  it('returns the same link for a repeated request, and 422 for different content with the same key', async () => {
    const { owner, path } = await aProject();
    const headers = { ...owner.tokenHeaders, 'idempotency-key': 'k1' };
    const first = await api('POST', `${path}/invitations/`, headers, { role: 'viewer' });
    const second = await api('POST', `${path}/invitations/`, headers, { role: 'viewer' });
    expect(second.body).to.deep.equal(first.body);
    expect((await api('POST', `${path}/invitations/`, headers, { role: 'owner' })).status).to.equal(422);
    expect(await real.collections.audit.countDocuments({ 'target.id': first.body.id })).to.equal(1);
  });

  const invite = async (path: string, by: { sessionHeaders: object }, input: object): Promise<string> =>
    (await api('POST', `${path}/invitations/`, by.sessionHeaders, input)).body.url.split('/').at(-1);
  const accept = (token: string, headers: object, account: object = {}) =>
    api('POST', '/auth/accept-invitation/', headers, { token, ...account });
  const roleOf = async (projectId: string, userId: string) =>
    (await real.collections.memberships.findOne({ projectId, userId }))?.role;

  it('restores neither a membership nor a role with a used invitation', async () => {
    const { id, owner, path } = await aProject();
    const joiner = await person();
    const token = await invite(path, owner, { role: 'owner' });
    expect((await accept(token, joiner.sessionHeaders)).status).to.equal(200);
    const at = `${path}/members/${joiner.userId}/`;
    await api('PATCH', at, owner.sessionHeaders, { role: 'viewer' });
    expect((await accept(token, joiner.sessionHeaders)).status, 'repeated, without effect').to.equal(200);
    expect(await roleOf(id, joiner.userId)).to.equal('viewer');
    await api('DELETE', at, owner.sessionHeaders);
    expect((await accept(token, joiner.sessionHeaders)).status).to.equal(404);
    expect(await roleOf(id, joiner.userId)).to.equal(undefined);
  });

  it('requires a session: API tokens cannot accept an invitation', async () => {
    const { id, owner, path } = await aProject();
    const joiner = await person();
    const token = await invite(path, owner, { role: 'owner' });
    const refused = await accept(token, joiner.tokenHeaders);
    expect([refused.status, refused.body.code]).to.deep.equal([403, 'session_required']);
    expect(await roleOf(id, joiner.userId)).to.equal(undefined);
    expect((await accept(token, joiner.sessionHeaders)).status).to.equal(200);
  });

  it('completes an interrupted acceptance, for the same person only, and never after a change of the membership', async () => {
    const { id, owner, path } = await aProject();
    const joiner = await person();
    /** The state after an interruption between the two writes. */
    const cutOff = async (token: string) => {
      const invitation = (await real.collections.invitations.findOne({ hash: hashOfToken(token) }))!;
      const grant = randomId();
      await createMembershipStore(real.collections).prepare(id, joiner.userId, grant);
      await createInvitationStore(real.collections).claim(invitation._id, { userId: joiner.userId, grant });
    };
    const first = await invite(path, owner, { role: 'editor' });
    await cutOff(first);
    expect((await api('GET', `${path}/`, joiner.sessionHeaders)).status, 'not a member yet').to.equal(404);
    expect((await accept(first, (await person()).sessionHeaders)).status, 'another person').to.equal(404);
    expect((await accept(first, joiner.sessionHeaders)).status).to.equal(200);
    expect(await roleOf(id, joiner.userId)).to.equal('editor');

    const second = await invite(path, owner, { role: 'owner' });
    await cutOff(second);
    await api('PATCH', `${path}/members/${joiner.userId}/`, owner.sessionHeaders, { role: 'viewer' });
    await accept(second, joiner.sessionHeaders);
    expect(await roleOf(id, joiner.userId), 'the later decision counts').to.equal('viewer');

    const third = await invite(path, owner, { role: 'owner' });
    await cutOff(third);
    await api('DELETE', `${path}/members/${joiner.userId}/`, owner.sessionHeaders);
    expect((await accept(third, joiner.sessionHeaders)).status).to.equal(404);
    expect(await roleOf(id, joiner.userId)).to.equal(undefined);
  });

  it('allows repeating an interrupted acceptance with a new account', async () => {
    const { id, owner, path } = await aProject();
    const token = await invite(path, owner, { role: 'editor' });
    const account = { email: `${randomId()}@example.test`, password: 'long enough 12' };
    const users = createUserStore(real.collections);
    const deps = { ...invitationDeps(), users: { ...users, insert: () => Promise.reject(new Error('cut off')) } };
    const origin = { address: '127.0.0.1', userAgent: '' };
    await createInvitationAcceptance(deps)
      .accept({ address: '127.0.0.1' }, token, account, origin)
      .then(
        () => expect.fail('it was not cut off'),
        (error: Error) => expect(error.message).to.equal('cut off'),
      );
    expect((await accept(token, (await person()).sessionHeaders)).status, 'another person').to.equal(404);
    const finished = await accept(token, {}, account);
    expect(finished.status).to.equal(200);
    expect(await roleOf(id, finished.body.me.userId)).to.equal('editor');
  });

  it('lets one of several concurrent callers accept an invitation', async () => {
    const { id, owner, path } = await aProject();
    const token = await invite(path, owner, { role: 'editor' });
    const people = await Promise.all(Array.from({ length: 5 }, () => person()));
    const answers = await Promise.all(people.map(({ sessionHeaders }) => accept(token, sessionHeaders)));
    expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 404, 404, 404, 404]);
    const roles = await real.collections.memberships.find({ projectId: id, role: 'editor' }).toArray();
    expect(roles).to.have.length(1);
  });

  it('restricts an invitation to its email address', async () => {
    const { id, owner, path } = await aProject();
    const [meant, other] = [await person(), await person()];
    const token = await invite(path, owner, { role: 'editor', email: meant.email.toUpperCase() });
    const refused = await accept(token, other.sessionHeaders);
    expect([refused.status, refused.body.code]).to.deep.equal([409, 'other_email']);
    const account = { email: `${randomId()}@example.test`, password: 'long enough 12' };
    expect((await accept(token, {}, account)).body.code).to.equal('sign_in_first');
    expect(await real.collections.users.countDocuments({ email: account.email })).to.equal(0);
    expect((await accept(token, meant.sessionHeaders)).status).to.equal(200);
    expect(await roleOf(id, meant.userId)).to.equal('editor');
  });

  it('does not reveal with an invitation who has an account', async () => {
    const { owner, path } = await aProject();
    const headers = { 'x-request-id': 'same' };
    const password = 'long enough 12';
    const [known, unknown] = [(await person()).email, `${randomId()}@example.test`];
    const bound = await invite(path, owner, { role: 'viewer', email: `${randomId()}@example.test` });
    const ofBound = [await accept(bound, headers, { email: known, password })];
    ofBound.push(await accept(bound, headers, { email: unknown, password }));
    expect(ofBound[0]!.status).to.equal(409);
    expect(ofBound[0]!.body).to.deep.equal(ofBound[1]!.body);

    // An invitation without an email is reserved for the first address that is used with it.
    const open = await invite(path, owner, { role: 'viewer' });
    const first = await accept(open, headers, { email: `${randomId()}@example.test`, password: 'short' });
    expect(first.status, 'refused before anything is looked up').to.equal(400);
    const answers = [];
    for (const email of [known, unknown, owner.email, `x${unknown}`])
      answers.push(await accept(open, headers, { email, password }));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body)))).to.have.property('size', 1);
    expect(answers[0]!.body.code).to.equal('sign_in_first');
    const look = await api('GET', `/auth/invitations/${open}/`, {});
    expect(look.body, 'it names no address').to.include({ email: null });
    const page = await real.server.inject({
      method: 'POST',
      url: `/invitations/${open}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ email: unknown, password }).toString(),
    });
    expect(page.statusCode).to.equal(409);
    expect(page.payload).to.include('sign in and open the link again');
    expect((await accept(open, (await person()).sessionHeaders)).status, 'open to who is signed in').to.equal(200);
  });

  it('revokes the invitations of a removed or demoted member, of a disabled account and of a deleted project', async () => {
    const { id, owner, path } = await aProject();
    const maker = await person({ roles: { [id]: 'owner' } });
    const at = `${path}/members/${maker.userId}/`;
    const isOpen = async (token: string) => (await api('GET', `/auth/invitations/${token}/`, {})).status === 200;
    const listed = async () => (await api('GET', `${path}/invitations/`, owner.sessionHeaders)).body.count;
    const others = await invite(path, owner, { role: 'viewer' });

    const ofDemoted = await invite(path, maker, { role: 'owner' });
    // As from a version that did not record the creator’s ID.
    const old = await invite(path, maker, { role: 'owner' });
    await real.collections.invitations.updateOne({ hash: hashOfToken(old) }, { $unset: { createdById: '' } });
    await api('PATCH', at, owner.sessionHeaders, { role: 'editor' });
    expect([await isOpen(ofDemoted), await isOpen(old), await isOpen(others), await listed()]).to.deep.equal([
      false,
      false,
      true,
      1,
    ]);
    await api('PATCH', at, owner.sessionHeaders, { role: 'owner' });
    expect(await isOpen(ofDemoted), 'for good').to.equal(false);
    const ofRemoved = await invite(path, maker, { role: 'owner' });
    await api('DELETE', at, owner.sessionHeaders);
    expect(await isOpen(ofRemoved)).to.equal(false);

    const admin = await person({ isAdmin: true });
    const disabled = await person({ roles: { [id]: 'owner' } });
    const ofDisabled = await invite(path, disabled, { role: 'owner' });
    await api('PATCH', `/users/${disabled.userId}/`, admin.sessionHeaders, { disabled: true });
    expect(await isOpen(ofDisabled)).to.equal(false);
    expect(await listed()).to.equal(1);

    await api('DELETE', `${path}/`, { ...owner.sessionHeaders, 'if-match': '*' });
    expect(await isOpen(others)).to.equal(false);
    await real.collections.projects.updateOne({ _id: id }, { $unset: { archivedAt: '' } });
    expect(await isOpen(others), 'for good').to.equal(false);
  });

  it('rejects an invitation whose creator no longer has the right to invite, for whatever reason', async () => {
    const { id, owner, path } = await aProject();
    const maker = await person({ roles: { [id]: 'owner' } });
    const token = await invite(path, maker, { role: 'owner' });
    await real.collections.memberships.deleteOne({ projectId: id, userId: maker.userId });
    expect((await accept(token, (await person()).sessionHeaders)).status).to.equal(404);
    expect((await api('GET', `${path}/invitations/`, owner.sessionHeaders)).status).to.equal(200);
  });

  it('revokes the project API tokens that a removed member created, unless the caller keeps them', async () => {
    const { id, owner, path } = await aProject();
    const make = async (by: { sessionHeaders: object }) =>
      (await api('POST', `${path}/tokens/`, by.sessionHeaders, { name: 'CI', scopes: ['read'] })).body.token as string;
    const works = async (token: string) =>
      (await api('GET', `${path}/`, { authorization: `Token ${token}` })).status === 200;
    const [kept, removed] = [
      await person({ roles: { [id]: 'owner' } }),
      await person({ roles: { [id]: 'owner' } }),
    ] as const;
    const tokens = [await make(owner), await make(kept), await make(removed), await make(removed)];
    // As from a version that did not record the creator’s ID.
    await real.collections.apiTokens.updateOne({ _id: hashOfToken(tokens[3]!) }, { $unset: { createdById: '' } });
    await api('DELETE', `${path}/members/${kept.userId}/?revokeTokens=false`, owner.sessionHeaders);
    await api('DELETE', `${path}/members/${removed.userId}/`, owner.sessionHeaders);
    expect(await Promise.all(tokens.map(works))).to.deep.equal([true, true, false, false]);
    const { details } = (await real.collections.audit.findOne({ 'target.id': removed.userId }))!;
    expect(details).to.include({ revokedTokens: 2 });
    expect(
      (await api('DELETE', `${path}/members/${owner.userId}/?revokeTokens=x`, owner.sessionHeaders)).status,
    ).to.equal(400);
  });

  it('lets every signed-in member leave except the last owner', async () => {
    const { id, owner, path } = await aProject();
    const [viewer, other] = [await person({ roles: { [id]: 'viewer' } }), await person()];
    const leave = (headers: object) => api('DELETE', `${path}/members/me/`, headers);
    const ordinary = await addApiToken(real.collections, { userId: viewer.userId }, ['read', 'run', 'edit']);
    expect((await leave({ authorization: `Token ${ordinary}` })).body.code).to.equal('scope_missing');
    expect((await leave(viewer.sessionHeaders)).status).to.equal(204);
    expect((await api('GET', `${path}/`, viewer.sessionHeaders)).status).to.equal(404);
    expect((await leave(viewer.sessionHeaders)).status).to.equal(404);
    expect((await leave(other.sessionHeaders)).status).to.equal(404);
    expect((await leave(owner.sessionHeaders)).body.code).to.equal('last_owner');
    expect((await leave((await person({ isAdmin: true })).sessionHeaders)).status, 'no member').to.equal(404);
  });

  it('revokes an invitation', async () => {
    const { owner, path } = await aProject();
    const { body } = await api('POST', `${path}/invitations/`, owner.tokenHeaders, { role: 'viewer' });
    expect((await api('DELETE', `${path}/invitations/${body.id}/`, owner.tokenHeaders)).status).to.equal(204);
    expect((await api('DELETE', `${path}/invitations/${body.id}/`, owner.tokenHeaders)).status).to.equal(404);
    expect((await api('GET', `/auth/invitations/${body.url.split('/').at(-1)}/`, {})).status).to.equal(404);
  });

  it('keeps the last owner, even when two owners remove each other’s role concurrently', async () => {
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

  it('changes and ends memberships, and records both in the project’s audit log', async () => {
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
