import { expect } from 'chai';
import { renderDoc } from '#src/web/docs/markdown.js';

const nowhere = () => undefined;

describe('Markdown of the documentation', () => {
  it('escapes HTML', () => {
    const { html } = renderDoc('# Title\n\n<script>alert(1)</script> <b onclick="x">b</b>\n', nowhere);
    expect(html).to.contain('&lt;script&gt;').and.to.contain('&lt;b onclick');
    expect(html).not.to.contain('<script').and.not.to.contain('<b ');
  });

  it('removes script URLs from links', () => {
    const { html } = renderDoc('# Title\n\n[go](javascript:alert(1))\n', (written) => written);
    expect(html).not.to.contain('href');
  });

  it('renders no inline styles, which the CSP blocks', () => {
    expect(renderDoc('# T\n\n| a |\n|---|\n| b |\n', nowhere).html).not.to.contain('style=');
  });

  it('gives headings the same IDs as GitHub', () => {
    const { title, sections, html } = renderDoc(
      '# A page\n\n## `runhook run list`\n\nText.\n\n## Text\n\n## Text\n',
      nowhere,
    );
    expect(title).to.equal('A page');
    expect(sections.map(({ anchor }) => anchor)).to.deep.equal(['', 'runhook-run-list', 'text', 'text-1']);
    expect(html).to.contain('<h2 id="runhook-run-list"><code>runhook run list</code></h2>');
  });

  it('keeps the text of a broken link, and the alternative text of a picture', () => {
    const { html } = renderDoc('# T\n\nSee [the source](../src/a.ts) ![A picture](no.png).\n', nowhere);
    expect(html).to.contain('<p>See the source A picture.</p>');
  });

  it('labels each cell except the first with its column', () => {
    const { html } = renderDoc('# T\n\n| a | b | |\n|---|---|---|\n| 1 | 2 | 3 |\n', nowhere);
    expect(html).to.contain('<td>1</td>').and.to.contain('<td data-label="b">2</td>').and.to.contain('<td>3</td>');
  });

  it('omits comments and diagrams, and collects the text of each section', () => {
    const { html, sections } = renderDoc(
      '# T\n\nOne.\n\n<!-- note -->\n## S\n\n```mermaid\nflowchart\n```\n\n- `two`\n- three\n',
      nowhere,
    );
    expect(html).not.to.contain('note').and.not.to.contain('flowchart');
    expect(sections.map(({ text }) => text)).to.deep.equal(['One.', 'two three']);
  });
});
