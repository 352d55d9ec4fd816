import { expect } from 'chai';
import { cronFields, cronSpec, isTimeOf, nextTimes } from '#src/domain/schedules/cron.js';
import { knownTimeZone, momentsOf, wallOf } from '#src/domain/schedules/zoned-time.js';

/* That Temporal fires at these times is shown in test/workflows/target-schedules.test.ts. */
describe('cron', () => {
  const times = (cron: string, zone: string, after: string, count: number) =>
    nextTimes(cron, zone, new Date(after), count).map((time) => time.toISOString().slice(0, 16));

  it('accepts five fields, names of months and days, and shortcuts such as @daily', () => {
    for (const cron of ['* * * * *', ' 0 6 * * 1-5 ', '0 6 * JAN mon,FRI', '*/5 8-18/2 1,15 * *', '@Daily', '@yearly'])
      expect(cronFields(cron), cron).to.have.length(5);
  });

  it('rejects everything else', () => {
    const others = ['', '0 6 * *', '0 0 6 * * *', '60 * * * *', '0 24 * * *', '0 0 31 4 *', '0 0 L * *', '0 0 * * 5#2'];
    for (const cron of [
      ...others,
      '@reboot',
      '@every 1h',
      'TZ=UTC 0 6 * * *',
      '5-1 * * * *',
      '*/0 * * * *',
      '0 0 jan 1 *',
    ])
      expect(cronFields(cron), cron).to.equal(undefined);
  });

  it('follows the local time of its zone, in summer and in winter', () => {
    expect(times('0 6 * * *', 'Europe/Stockholm', '2026-03-27T12:00:00Z', 3)).to.deep.equal([
      '2026-03-28T05:00',
      '2026-03-29T04:00',
      '2026-03-30T04:00',
    ]);
    expect(times('30 9 * * 1', 'Asia/Kolkata', '2026-08-03T04:00:00Z', 1)).to.deep.equal(['2026-08-10T04:00']);
  });

  it('skips times in the hour that daylight saving time skips', () => {
    expect(times('30 2 * * *', 'Europe/Stockholm', '2026-03-28T00:00:00Z', 2)).to.deep.equal([
      '2026-03-28T01:30',
      '2026-03-30T00:30',
    ]);
  });

  it('fires once in the repeated hour, and both times if it is hourly', () => {
    expect(times('30 2 * * *', 'Europe/Stockholm', '2026-10-24T12:00:00Z', 2)).to.deep.equal([
      '2026-10-25T01:30',
      '2026-10-26T01:30',
    ]);
    expect(times('*/30 * * * *', 'Europe/Stockholm', '2026-10-24T23:45:00Z', 5)).to.deep.equal([
      '2026-10-25T00:00',
      '2026-10-25T00:30',
      '2026-10-25T01:00',
      '2026-10-25T01:30',
      '2026-10-25T02:00',
    ]);
    expect(isTimeOf('30 2 * * *', 'America/New_York', new Date('2026-11-01T06:30:00Z'))).to.equal(false);
    expect(isTimeOf('30 2 * * *', 'America/New_York', new Date('2026-11-01T07:30:00Z'))).to.equal(true);
  });

  it('matches either the day of the month or of the week if both are given', () => {
    expect(times('0 0 13 * 5', 'UTC', '2026-11-07T00:00:00Z', 3)).to.deep.equal([
      '2026-11-13T00:00',
      '2026-11-20T00:00',
      '2026-11-27T00:00',
    ]);
    expect(cronSpec('0 0 13 * 5', 'UTC').cronExpressions).to.deep.equal(['0 0 13 * *', '0 0 * * 5']);
  });

  it('uses UTC in Temporal if it is hourly, except in zones with half hours', () => {
    expect(cronSpec('*/15 * * * *', 'Europe/Stockholm').timezone).to.equal('UTC');
    expect(cronSpec('*/15 * * * *', 'Asia/Kolkata').timezone).to.equal('Asia/Kolkata');
    expect(cronSpec('*/15 * * * 1', 'Europe/Stockholm').timezone).to.equal('Europe/Stockholm');
  });

  it('accepts only IANA names of zones', () => {
    expect(knownTimeZone('europe/stockholm')).to.equal('Europe/Stockholm');
    expect(knownTimeZone('UTC')).to.equal('UTC');
    for (const none of ['', 'Mars/Base', '+02:00', 'Europe/', '../etc/passwd'])
      expect(knownTimeZone(none)).to.equal(undefined);
  });

  it('accepts older IANA names, and none that only Node supports', () => {
    expect(knownTimeZone('us/pacific')).to.equal('US/Pacific');
    expect(knownTimeZone('asia/kolkata')).to.equal('Asia/Kolkata');
    expect(knownTimeZone('est5edt')).to.equal('EST5EDT');
    for (const nodes of ['AET', 'PST', 'BST', 'IST', 'US/Pacific-New', 'Canada/East-Saskatchewan', 'SystemV/PST8PDT']) {
      expect(() => new Intl.DateTimeFormat('en', { timeZone: nodes }), `${nodes} is known to Node`).not.to.throw();
      expect(knownTimeZone(nodes), nodes).to.equal(undefined);
    }
    for (const zone of Intl.supportedValuesOf('timeZone')) expect(knownTimeZone(zone)).to.equal(zone);
  });

  it('converts wall times to instants and back', () => {
    const wall = new Date('2026-10-25T02:30:00Z');
    const moments = momentsOf(wall, 'Europe/Stockholm');
    expect(moments.map((moment) => moment.toISOString())).to.deep.equal([
      '2026-10-25T00:30:00.000Z',
      '2026-10-25T01:30:00.000Z',
    ]);
    for (const moment of moments) expect(wallOf(moment, 'Europe/Stockholm')).to.deep.equal(wall);
    expect(momentsOf(new Date('2026-03-29T02:30:00Z'), 'Europe/Stockholm')).to.deep.equal([]);
  });
});
