import { expect } from 'chai';
import { HomePage } from '../../../../src/web/pages/home-page.js';
import { renderPage } from '../../../../src/web/render-page.js';
import { after } from '../../../builders/sample-runs.js';

describe('home page', () => {
  const page = (runs: Parameters<typeof HomePage>[0]['runs']) =>
    renderPage(HomePage({ runs, publicUrl: 'https://runs.example.test', now: after(9) }));

  it('teaches how to start the first run', () => {
    expect(page([])).to.include(
      'curl -X POST https://runs.example.test/webhooks/&lt;WEBHOOK_TOKEN>/tests/run/&lt;test_id>',
    );
  });

  it('lists runs with project, name, status and time, escaped', () => {
    const html = page([
      {
        id: '11',
        kind: 'suite',
        projectName: '<script>p',
        targetName: '<script>t',
        status: 'auto_retrying',
        queuedAt: after(0),
      },
    ]);
    expect(html).not.to.match(/<script>[pt]/);
    expect(html).to.match(/<a href="\/runs\/11">&lt;script>t<\/a>/);
    expect(html).to.include('auto-retrying').and.to.include('datetime="2026-08-02T12:00:00.000Z"');
    expect(html).not.to.include('curl');
  });
});
