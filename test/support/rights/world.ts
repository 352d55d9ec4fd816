import { randomBytes } from 'node:crypto';
import type { Db } from 'mongodb';
import type { Collections } from '#src/db/schema/collections.js';
import { ensureWebhookToken } from '#src/db/tokens/webhook-tokens.js';
import { randomId } from '#src/domain/ids.js';
import type { Principal, Role, Scope } from '#src/domain/people/rights.js';
import { PROJECT_TOKEN_SCOPES, SCOPES } from '#src/domain/people/rights.js';
import { hashOfToken, newToken } from '#src/domain/tokens/token-format.js';
import { aSuiteDefinition, aTestDefinition } from '#test/builders/run.js';
import { suiteRun, testRun } from '#test/builders/sample-runs.js';
import type { TestDatabase } from '#test/support/database.js';
import { addApiToken, addPerson, type TestPerson } from '#test/support/people.js';

/** Part of every name in the victim's project: it must not leak to others. */
export const CANARY = 'canary-of-the-rights';

/** All scopes except `admin`. */
const ORDINARY: readonly Scope[] = SCOPES.filter((scope) => scope !== 'admin');

export interface Caller {
  name: string;
  headers: Record<string, string>;
  /** Absent: anonymous. */
  principal?: Pick<Principal, 'via' | 'userId' | 'projectId' | 'isAdmin' | 'scopes'>;
  role?: Role;
}

export interface World {
  callers: Caller[];
  /** Ids in the victim's project, by route parameter or body field. */
  ids: Record<string, string>;
  /** The project of another owner. */
  foreignProjectId: string;
}

/** A project with one of everything, and all kinds of callers. */
export async function aWorld({ db, collections }: Pick<TestDatabase, 'db' | 'collections'>): Promise<World> {
  const [projectId, foreignProjectId] = [randomId(), randomId()];
  for (const [id, name] of [[projectId, CANARY] as const, [foreignProjectId, 'elsewhere'] as const])
    await collections.projects.insertOne({ _id: id, name, slug: `rights-${id}`, revision: 1, createdAt: new Date() });
  const person = (role: Role) => addPerson(collections, { roles: { [projectId]: role } });
  const owner = await person('owner');
  const people: [string, TestPerson, Role | undefined][] = [
    ['viewer', await person('viewer'), 'viewer'],
    ['editor', await person('editor'), 'editor'],
    ['owner', owner, 'owner'],
    ['admin', await addPerson(collections, { isAdmin: true }), undefined],
    ['owner elsewhere', await addPerson(collections, { roles: { [foreignProjectId]: 'owner' } }), undefined],
  ];
  const ofProject = async (name: string, scopes: readonly Scope[]): Promise<Caller> => ({
    name,
    headers: { authorization: `Token ${await addApiToken(collections, { projectId }, [...scopes])}` },
    principal: { via: 'token', projectId, isAdmin: false, scopes },
  });
  const ofPerson = async (name: string, owner: TestPerson, scopes: readonly Scope[], role?: Role): Promise<Caller> => ({
    name,
    headers: { authorization: `Token ${await addApiToken(collections, { userId: owner.userId }, scopes)}` },
    principal: { via: 'token', userId: owner.userId, isAdmin: role === undefined, scopes },
    ...(role ? { role } : {}),
  });
  const admin = people.find(([name]) => name === 'admin')![1];
  return {
    foreignProjectId,
    ids: { ...(await things(collections, projectId, owner)), profileId: await aVariableSet(db, projectId) },
    callers: [
      { name: 'anonymous', headers: {} },
      ...people.map(([name, { userId, sessionHeaders }, role]) => ({
        name,
        headers: { ...sessionHeaders },
        principal: { via: 'session' as const, userId, isAdmin: name === 'admin', scopes: SCOPES },
        ...(role ? { role } : {}),
      })),
      await ofPerson('owner’s token', owner, ORDINARY, 'owner'),
      await ofPerson('owner’s token + `admin`', owner, SCOPES, 'owner'),
      await ofPerson('admin’s token', admin, ORDINARY),
      await ofPerson('admin’s token + `admin`', admin, SCOPES),
      await ofProject('project token', PROJECT_TOKEN_SCOPES),
      await ofProject('read-only token', ['read']),
    ],
  };
}

/** Variables for runs. */
async function aVariableSet(db: Db, projectId: string): Promise<string> {
  const _id = randomId();
  const variableSet = {
    _id,
    projectId,
    name: CANARY,
    isDefault: false,
    variables: [],
    revision: 1,
    modifiedAt: new Date(),
  };
  await db.collection<typeof variableSet>('profiles').insertOne(variableSet);
  return _id;
}

async function things(collections: Collections, projectId: string, owner: TestPerson): Promise<Record<string, string>> {
  const now = new Date();
  const [testId, suiteId, invitationId, scheduleId] = [randomId(), randomId(), randomId(), randomId()];
  const common = { projectId, name: CANARY, revision: 1, createdAt: now, modifiedAt: now };
  await collections.tests.insertOne({ _id: testId, ...common, definition: aTestDefinition() });
  await collections.suites.insertOne({ _id: suiteId, ...common, definition: aSuiteDefinition({ tests: [testId] }) });
  const timing = { cron: '@daily', timeZone: 'UTC', paused: false, catchUpMs: 3_600_000 };
  await collections.schedules.insertOne({ _id: scheduleId, ...common, definition: { suiteId, ...timing } });
  await ensureWebhookToken(collections.webhookTokens, [randomBytes(32)], projectId);
  const ofTest = testRun({ projectId, targetId: testId, targetName: CANARY, status: 'passed' });
  const ofSuite = suiteRun({ projectId, targetId: suiteId, targetName: CANARY, status: 'passed' });
  await collections.runs.insertMany([ofTest, ofSuite]);
  await collections.invitations.insertOne({
    _id: invitationId,
    hash: hashOfToken(newToken('invitation')),
    projectId,
    role: 'viewer',
    email: `${CANARY}@example.test`,
    createdAt: now,
    createdBy: owner.email,
    expiresAt: new Date(now.getTime() + 3_600_000),
  });
  const { id: sessionId } = (await collections.sessions.findOne({ userId: owner.userId }))!;
  const { id: personalToken } = (await collections.apiTokens.findOne({ userId: owner.userId }))!;
  await addApiToken(collections, { projectId });
  const { id: projectToken } = (await collections.apiTokens.findOne({ projectId }))!;
  return {
    scheduleId,
    projectId,
    testId,
    suiteId,
    runId: ofTest._id,
    suiteRunId: ofSuite._id,
    invitationId,
    userId: owner.userId,
    sessionId,
    tokenId: personalToken,
    projectTokenId: projectToken,
    number: '1',
  };
}
