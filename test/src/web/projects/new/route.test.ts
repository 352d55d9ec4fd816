import { expect } from 'chai';
import type { Server } from '@hapi/hapi';
import type { Collections } from '#src/db/schema/collections.js';
import { randomId } from '#src/domain/ids.js';
import { apiServer } from '#test/support/servers/api-server.js';
import { DATABASE_TIMEOUT_MS, testDatabase } from '#test/support/database.js';
import { getPage, sendFile, sendForm } from '#test/support/servers/page-client.js';
import { addPerson, type TestPerson } from '#test/support/people.js';

describe('new project', () => {
  let collections: Collections;
  let server: Server;
  let person: TestPerson;

  before(async function () {
    this.timeout(DATABASE_TIMEOUT_MS);
    collections = (await testDatabase()).collections;
    server = await apiServer(collections);
    person = await addPerson(collections);
  });

  it('by form: the creator becomes its owner', async () => {
    const name = `Shop ${randomId()}`;
    expect((await getPage(server, person, '/projects/new')).html).to.include('href="/projects/import"');
    const { status, location, notice } = await sendForm(server, person, '/projects/new', { name, retentionDays: '9' });
    expect(status).to.equal(303);
    const projectId = location!.split('/')[2]!;
    expect(await collections.projects.findOne({ _id: projectId })).to.include({ name, retentionDays: 9 });
    expect(await collections.memberships.findOne({ projectId })).to.include({ userId: person.userId, role: 'owner' });
    expect(notice).to.include(name);
    expect((await getPage(server, person, location!)).status).to.equal(200);
  });

  it('by form: shows errors at their fields', async () => {
    const { status, html } = await sendForm(server, person, '/projects/new', { name: '', retentionDays: 'ever' });
    expect(status).to.equal(400);
    expect(html)
      .to.include('id="name-problem"')
      .and.to.include('>Must be a whole number from 1 to 3650')
      .and.to.include('value="ever"');
  });

  describe('by a project file', () => {
    const fileOf = (name: string) => `project: ${name}
tests:
  - { name: "<script>A", command: [a], cwd: /srv }
  - { name: B, command: [b], cwd: relative }
suites:
  - { name: Both, tests: ["<script>A", B] }
`;
    const upload = (content: string | Uint8Array<ArrayBuffer>, type = 'application/yaml', more = {}) =>
      sendFile(server, person, '/projects/import', {
        file: new File([content], 'shop.yaml', { type }),
        text: '',
        folder: '/srv',
        ...more,
      });

    it('shows the changes first, escaped, then applies them', async () => {
      const name = `Shop ${randomId()}`;
      const preview = await upload(fileOf(name));
      expect(preview.status, preview.html).to.equal(200);
      expect(preview.html)
        .to.include(`Import “${name}”?`)
        .and.to.include('The import would create 1 project, 2 tests, 1 suite.');
      expect(preview.html).to.include('&lt;script>A').and.not.to.include('<script>A');
      expect(await collections.projects.countDocuments({ name })).to.equal(0);
      const sent = { text: fileOf(name).replaceAll('\n', '\r\n'), folder: '/srv' };
      const done = await sendFile(server, person, '/projects/import/confirmed', sent);
      expect(done.status, done.html).to.equal(303);
      const projectId = done.location!.split('/')[2]!;
      expect(await collections.tests.distinct('definition.cwd', { projectId })).to.have.members([
        '/srv',
        '/srv/relative',
      ]);
      const fewer = fileOf(name).replace('  - { name: B, command: [b], cwd: relative }\n', '').replace(', B]', ']');
      const html = (await upload(fewer)).html;
      expect(html)
        .to.include('would change 1 suite; archive 1 test.')
        .and.to.include('>archive<')
        .and.to.include('1 of its tests, suites and schedules are unchanged');
      expect((await upload(fileOf(name))).html)
        .to.include('No changes')
        .and.not.to.include('>Import</button>');
    });

    it('accepts JSON, and pasted text', async () => {
      const json = JSON.stringify({
        project: `Shop ${randomId()}`,
        tests: [{ name: 'A', command: ['a'], cwd: '/srv' }],
      });
      expect((await upload(json, 'application/json')).html).to.include('The import would create 1 project, 1 test.');
      const pasted = await sendFile(server, person, '/projects/import', { text: json, folder: '' });
      expect(pasted.html).to.include('The import would create 1 project, 1 test.');
    });

    it('shows the lines with errors, and keeps the text', async () => {
      const { status, html } = await upload('project: Shop\ntests:\n  - { name: A, comand: [a] }\n');
      expect(status).to.equal(400);
      expect(html)
        .to.match(/<b>line 3<\/b>/)
        .and.to.include('comand: [a]')
        .and.to.include('value="/srv"');
    });

    it('requires a text file', async () => {
      const none = await sendFile(server, person, '/projects/import', { text: ' ', folder: '' });
      expect([none.status, /Choose a project file/.test(none.html)]).to.eql([400, true]);
      const binary = await upload(new Uint8Array([0xff, 0xfe, 0]), 'text/plain');
      expect([binary.status, /id="file-problem"/.test(binary.html)]).to.eql([400, true]);
      const folder = await upload('project: X', 'text/plain', { folder: 'relative' });
      expect(folder.html).to.include('>Must be an absolute path');
    });

    it('does not change other people’s projects, and requires the CSRF token', async () => {
      const name = `Shop ${randomId()}`;
      const first = await sendFile(server, person, '/projects/import/confirmed', {
        text: fileOf(name),
        folder: '/srv',
      });
      const projectId = first.location!.split('/')[2]!;
      const stranger = await addPerson(collections);
      const text = `id: ${projectId}\n${fileOf(name)}`;
      const refused = await sendFile(server, stranger, '/projects/import', { text, folder: '/srv' });
      expect(refused.status).to.equal(404);
      const forged = await sendFile(server, person, '/projects/import', { _csrf: 'x', text, folder: '/srv' });
      expect(forged.status).to.equal(403);
    });
  });
});
