import { expect } from 'chai';
import { Sparkline, type TrendPoint } from '#src/web/components/sparkline.js';
import { renderPage } from '#src/web/http/render-page.js';

describe('Sparkline', () => {
  const html = (...recent: TrendPoint[]) => renderPage(Sparkline({ recent }));
  const passed = (durationMs: number): TrendPoint => ({ status: 'passed', durationMs });

  it('draws the durations, with a text alternative', () => {
    const drawn = html(passed(1000), passed(3000), passed(2000));
    expect(drawn).to.include('points="4,17.3 60,4 116,10.7"');
    expect(drawn).to.include('aria-label="Duration of the last 3 runs: 1.0 s to 3.0 s, the last 2.0 s; all passed."');
    expect(drawn).not.to.include('<path');
  });

  it('marks runs that did not pass with a shape', () => {
    const drawn = html(passed(10), { status: 'failed', durationMs: 10 }, { status: 'error', durationMs: 0 });
    expect(drawn.match(/<path/g)).to.have.length(2);
    expect(drawn).to.include('2 did not pass.');
  });

  it('draws no line for a single run', () => {
    expect(html(passed(1000))).not.to.include('<svg');
  });
});
