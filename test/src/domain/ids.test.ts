import { expect } from 'chai';
import {
  isUuid,
  legacyProjectIdOf,
  randomId,
  runIdOfKey,
  runIdOfPosition,
  runIdOfScheduleTime,
  targetIdOf,
} from '#src/domain/ids.js';

const PROJECT = '3025c499-13f6-8f05-b2b8-bd83ed6804ea';

describe('ids', () => {
  it('are the same in every version, because URLs contain them', () => {
    expect(legacyProjectIdOf('Demo shop')).to.equal(PROJECT);
    expect(targetIdOf(PROJECT, 'test', 'Checkout works')).to.equal('bc4779b1-5b73-8506-8d31-f457533bed1d');
    expect(targetIdOf(PROJECT, 'suite', 'Smoke')).to.equal('b41d147f-4fc7-89c4-af17-b185b1182059');
    expect(runIdOfKey(PROJECT, 'key')).to.equal('a4c0520a-c0df-89ee-93dc-651429448831');
    expect(runIdOfPosition(PROJECT, 3)).to.equal('7ac64f30-67b2-83ea-92c0-4c53bad33d47');
  });

  it('are UUIDs of version 8, random ones of version 4', () => {
    for (let index = 0; index < 200; index++) {
      const derived = runIdOfKey(PROJECT, `key ${index}`);
      expect(isUuid(derived)).to.equal(true);
      expect(derived).to.match(/^.{14}8.{4}[89ab]/);
      expect(randomId()).to.match(/^.{14}4.{4}[89ab]/);
    }
  });

  it('differ by project, kind, name, key and position', () => {
    const ids = [
      legacyProjectIdOf('a'),
      legacyProjectIdOf('b'),
      targetIdOf(PROJECT, 'test', 'a'),
      targetIdOf(PROJECT, 'suite', 'a'),
      targetIdOf(legacyProjectIdOf('a'), 'test', 'a'),
      runIdOfKey(PROJECT, 'a'),
      runIdOfKey(legacyProjectIdOf('a'), 'a'),
      runIdOfPosition(PROJECT, 1),
      runIdOfPosition(PROJECT, 11),
      // No key can result in the id of a suite's test run or a schedule's run.
      runIdOfKey(PROJECT, '1'),
      runIdOfScheduleTime(PROJECT, new Date(0)),
      runIdOfScheduleTime(PROJECT, new Date(1)),
      runIdOfKey(PROJECT, new Date(0).toISOString()),
    ];
    expect(new Set(ids).size).to.equal(ids.length);
  });

  it('are distinguished from other text', () => {
    for (const other of ['', PROJECT.toUpperCase(), ` ${PROJECT}`, `${PROJECT}\n`, PROJECT.replaceAll('-', '')])
      expect(isUuid(other), JSON.stringify(other)).to.equal(false);
  });
});
