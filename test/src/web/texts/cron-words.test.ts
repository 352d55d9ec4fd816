import { expect } from 'chai';
import { cronInWords } from '#src/web/texts/cron-words.js';

describe('cron in words', () => {
  const WORDS: Record<string, string | undefined> = {
    '* * * * *': 'Every minute',
    '*/15 * * * *': 'Every 15 minutes',
    '*/7 * * * *': undefined,
    '@hourly': 'Every hour at minute 0',
    '5 6 * * *': 'Every day at 06:05',
    '0 6 * * 1-5': 'Monday to Friday at 06:00',
    '0 6 * * mon,wed,7': 'Monday, Wednesday and Sunday at 06:00',
    '@weekly': 'Every Sunday at 00:00',
    '30 2 1 * *': 'Day 1 of each month at 02:30',
    '0 6 13 * 5': undefined,
    '0 6 * * 1-5/2': undefined,
    '0 6 1 1 *': undefined,
    '0 6,18 * * *': undefined,
    nonsense: undefined,
  };
  for (const [cron, words] of Object.entries(WORDS))
    it(`${cron} is ${words ?? 'shown by its next times'}`, () => expect(cronInWords(cron)).to.equal(words));
});
