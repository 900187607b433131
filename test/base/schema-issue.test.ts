/** What a schema finds wrong, in words that a person can use. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { describeIssue, parseAs, parseJson } from '../../src/base/schema-issue.ts';

const pair = z.strictObject({ a: z.string() });

it.each([
  [z.string(), 1, 'must be a text'],
  [pair, {}, 'is missing; it must be a text'],
  [pair, { a: 'x', b: 1, c: 1 }, 'there is no key "b", "c" here'],
  [z.enum(['on', 'off']), 'up', 'must be "on" or "off"'],
  [z.int().min(2), 1, 'must be at least 2'],
  [z.string().max(2), 'abc', 'must have at most 2 characters'],
  [z.array(z.string()).min(1), [], 'must have at least 1 entries'],
  [z.union([z.boolean(), z.enum(['none'])]), 1, 'must be true or false, or must be "none"'],
  [z.string().regex(/^a$/), 'b', 'must match /^a$/'],
  [z.string().regex(/^a$/, 'Give the letter a.'), 'b', 'Give the letter a.'],
])('case %#: %j', (schema, data, words) => {
  const parsed = schema.safeParse(data);
  expect(parsed.error?.issues.map(describeIssue)).toEqual([words]);
});

it.each([
  ['{"a":[1]}', { a: [1] }],
  ['null', null],
  ['', null],
  ['{"a":', null],
  ['undefined', null],
])('reads %j', (text, data) => expect(parseJson(text)).toEqual(data));

describe('a text that must be JSON of a form', () => {
  const about = { code: 'RECORD_INVALID', name: 'line 2' } as const;
  const schema = z.object({ a: z.number() });

  it.each([
    ['{"a":', 'line 2: it is not valid JSON.'],
    ['null', /^line 2: \/: .*null/],
    ['{"a":"x"}', /^line 2: \/a: /],
  ])('says of %s what is wrong', (text, message) => {
    expect(() => parseAs(schema, text, about)).toThrow(message);
    expect(() => parseAs(schema, text, about)).toThrow(
      expect.objectContaining({ code: 'RECORD_INVALID' }),
    );
  });
});
