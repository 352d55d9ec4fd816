import { expect } from 'chai';
import { assets } from '#src/web/http/asset-files.js';

describe('static files', () => {
  it('combine htmx and its stream extension: a separate extension could load too late', () => {
    const script = assets.get('htmx.js')!.content.toString();
    expect(script)
      .to.match(/^var htmx=/)
      .and.to.include('registerExtension("sse"');
  });

  it('do not refer to missing source maps', () => {
    for (const [name, { content }] of assets) expect(content.includes('sourceMappingURL'), name).to.equal(false);
  });
});
