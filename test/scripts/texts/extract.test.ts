import { expect } from 'chai';
import { check } from '#scripts/texts/check.mjs';
import { extract } from '#scripts/texts/extract.mjs';
import { areaOf, proseOf, readTexts } from '#scripts/texts/read-texts.mjs';

const textsOf = (source: string, file = 'a.tsx') =>
  extract(file, source)
    .filter(({ place }) => place === 'text')
    .map(({ text }) => text);

describe('the list of texts', () => {
  it('contains text in JSX and in visible attributes, including single words', () => {
    const source = `export const A = () => (
      <p class="notice notice-warning" id="a b" title="Help" aria-label={x ? 'Close the dialog' : 'open'}>
        Nothing to
        see <b>here</b>. {n === 1 ? 'One run' : \`\${n} runs\`}
      </p>
    );`;
    expect(textsOf(source)).to.deep.equal([
      'Help',
      'Close the dialog',
      'open',
      'Nothing to see',
      'here',
      'One run',
      '${…} runs',
    ]);
  });

  it('contains messages of errors and logs, descriptions and help, with their kind', () => {
    const source = `
      throw new NotFoundError(\`There is no run \${id}.\`);
      log.warn({ err }, 'trying again');
      new Counter({ name: 'runs_total', help: 'Runs that ended.' });
      program.command('run <id>').description('Show a run');`;
    expect(extract('a.ts', source).map(({ text, use, line }) => [line, use, text])).to.deep.equal([
      [2, 'error', 'There is no run ${…}.'],
      [3, 'log', 'trying again'],
      [4, 'metric', 'Runs that ended.'],
      [5, 'string', 'run <id>'],
      [5, 'string', 'Show a run'],
    ]);
  });

  it('omits text that only programs read', () => {
    const source = `
      import x from 'a b';
      type T = 'two words' | \`a \${string}\`;
      h.response(y).header('cache-control', 'no-store, must-revalidate');
      if (kind === 'two words' || /a b/.test(z['two words'])) {}
      const css = <i class={on ? 'btn btn-primary' : 'btn btn-light'} />;
      collection.find({ 'a b': 1, state: 'ended' });`;
    expect(textsOf(source)).to.deep.equal([]);
  });

  it('finds comments, but not in strings, and declared names', () => {
    const source = `/** Why. */
      const url = 'https://a.test/x'; // one
      // two
      const rx = /[/]*b/; const t = \`// \${url} /* no */\`;
      function f(there) { return obj.wanted; }`;
    const found = extract('a.ts', source);
    expect(found.filter(({ place }) => place === 'comment').map(({ text, line }) => [line, text])).to.deep.equal([
      [1, '/** Why. */'],
      [2, '// one\n      // two'],
    ]);
    expect(found.filter(({ place }) => place === 'name').map(({ text }) => text)).to.deep.equal([
      'url',
      'rx',
      't',
      'f',
      'there',
    ]);
  });

  it('states who reads a text', () => {
    expect(areaOf('src/web/runs/run-page.tsx')).to.equal('web');
    expect(areaOf('src/server/forms/form-route.ts')).to.equal('web');
    expect(areaOf('src/server/routes/api/me.ts', 'error')).to.equal('api');
    expect(areaOf('src/services/dispatcher.ts', 'log')).to.equal('logs');
    expect(areaOf('src/cli/program.ts')).to.equal('cli');
    expect(areaOf('test/src/a.test.ts', 'log')).to.equal('tests');
  });

  it('reads the prose of Markdown without code, and keeps line numbers', () => {
    const markdown = 'One `he`.\n```sh\necho mend\n```\nPlease mend it.';
    expect(proseOf(markdown).split('\n')).to.have.length(5);
    const hits = check({ texts: [], others: [], docs: [{ file: 'a.md', text: proseOf(markdown) }] });
    expect(hits.map(({ file, line, rule, area }) => ({ file, line, rule, area }))).to.deep.equal([
      { file: 'a.md', line: 5, rule: 'mend', area: 'docs' },
    ]);
  });

  it('reads the whole repository', () => {
    const { texts } = readTexts(new URL('../../..', import.meta.url).pathname);
    const areas = new Set(texts.map(({ area }) => area));
    expect([...areas]).to.include.members(['web', 'cli', 'api', 'attempts', 'logs', 'metrics', 'services']);
    expect(texts.length).to.be.greaterThan(1000);
  });
});
