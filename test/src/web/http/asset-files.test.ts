import { expect } from 'chai';
import { assets } from '#src/web/http/asset-files.js';

describe('static files', () => {
  it('have htmx and its extension for streams in one: apart, the extension may come too late', () => {
    const script = assets.get('htmx.js')!.content.toString();
    expect(script)
      .to.match(/^var htmx=/)
      .and.to.include('registerExtension("sse"');
  });

  it('name no source maps, which are not there', () => {
    for (const [name, { content }] of assets) expect(content.includes('sourceMappingURL'), name).to.equal(false);
  });
});
