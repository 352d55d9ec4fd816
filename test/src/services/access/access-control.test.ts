import { expect } from 'chai';
import { MongoNetworkTimeoutError } from 'mongodb';
import { randomId } from '#src/domain/ids.js';
import { createAccessControl } from '#src/services/access/access-control.js';
import { ADMIN } from '#test/builders/server-deps.js';

describe('access control', () => {
  it('throws UnavailableError and grants nothing while the database does not respond', async () => {
    const unavailable = () => Promise.reject(new MongoNetworkTimeoutError('no response'));
    const access = createAccessControl({
      memberships: { roleOf: unavailable, ofUser: unavailable },
      projects: { isArchived: unavailable, liveAmong: unavailable },
    });
    const member = { ...ADMIN, isAdmin: false };
    const errorOf = (asked: Promise<unknown>) =>
      asked.then(
        () => 'opened',
        (error: Error) => error.name,
      );
    expect(await errorOf(access.inProject(member, 'runs.read', randomId()))).to.equal('UnavailableError');
    expect(await errorOf(access.visibleProjects(member))).to.equal('UnavailableError');
  });
});
