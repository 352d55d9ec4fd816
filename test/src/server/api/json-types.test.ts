import { expect } from 'chai';
import Joi from 'joi';
import { withJsonTypes } from '#src/server/api/json-types.js';

describe('types of a JSON body', () => {
  const body = withJsonTypes(
    Joi.object({
      count: Joi.number(),
      on: Joi.boolean(),
      list: Joi.array().items(Joi.object({ size: Joi.number() })),
      either: Joi.alternatives(Joi.valid('all'), Joi.number()),
      text: Joi.string().trim(),
    }),
  );
  const problemOf = (value: object) => {
    const detail = body.validate(value, { errors: { wrap: { label: false } } }).error?.details[0];
    return detail && `${detail.path.join('.')}: ${detail.message}`;
  };

  it('are kept: a number or boolean as a string is rejected at its field', () => {
    expect(problemOf({ count: '5' })).to.equal('count: count must be a number, not a string: remove the quotes');
    expect(problemOf({ on: 'true' })).to.equal('on: on must be true or false, not a string: remove the quotes');
    expect(problemOf({ list: [{ size: 1 }, { size: '2' }] })).to.match(
      /^list\.1\.size: list\[1\]\.size must be a number/,
    );
    expect(problemOf({ either: '7' })).to.match(/^either: /);
  });

  it('are accepted if correct', () => {
    expect(problemOf({ count: 5, on: true, list: [{ size: 1 }], either: 'all', text: ' 5 ' })).to.equal(undefined);
  });
});
