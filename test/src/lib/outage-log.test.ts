import { expect } from 'chai';
import { pino } from 'pino';
import { createOutageLog } from '#src/lib/outage-log.js';

describe('outage log', () => {
  let lines: string[];
  beforeEach(() => (lines = []));
  const log = pino({}, { write: (line: string) => void lines.push((JSON.parse(line) as { msg: string }).msg) });

  it('logs the beginning and the end of each outage', () => {
    const outage = createOutageLog(log, { failing: 'away', working: 'back' });
    outage.succeeded();
    outage.failed(new Error('one'));
    outage.failed(new Error('two'));
    expect(outage.isFailing()).to.equal(true);
    outage.succeeded();
    outage.succeeded();
    outage.failed(new Error('three'));
    expect(lines).to.deep.equal(['away', 'back', 'away']);
  });

  it('logs different failures within an outage', () => {
    const outage = createOutageLog(log, { failing: 'away' }, (error, last) => error.message !== last.message);
    for (const message of ['one', 'one', 'two', 'two', 'one']) outage.failed(new Error(message));
    outage.succeeded();
    expect(outage.isFailing()).to.equal(false);
    expect(lines).to.have.length(3);
  });
});
