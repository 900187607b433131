import { describe, expect, it } from 'vitest';
import { parseReportSchema } from '../../../src/agent/context/report-schema.ts';

const path = '.photon/review.json';
const schema = {
  type: 'object',
  required: ['risk'],
  properties: { risk: { type: 'string', enum: ['low', 'high'] } },
};

describe('the schema of what a review reports', () => {
  it('judges a report, and names the place of each problem', async () => {
    const { text, findProblems } = await parseReportSchema(
      JSON.stringify(schema, undefined, 2),
      path,
    );
    expect(JSON.parse(text)).toEqual(schema);
    expect(text).not.toContain('\n');
    expect(await findProblems({ risk: 'low' })).toEqual([]);
    expect(await findProblems({ risk: 'medium' })).toEqual([
      expect.stringMatching(/^\/report\/risk: /),
    ]);
    expect(await findProblems('low')).toHaveLength(1);
  });

  it('names at most ten problems', async () => {
    const names = Array.from({ length: 12 }, (_, i) => `p${i}`);
    const all = { type: 'object', required: names, properties: {} as Record<string, object> };
    for (const name of names) all.properties[name] = { type: 'number' };
    const { findProblems } = await parseReportSchema(JSON.stringify(all), path);
    expect(await findProblems({})).toHaveLength(10);
  });

  it.each<[string, object, unknown, unknown]>([
    ['fewer than the least', { properties: { a: { minItems: 1 } } }, { a: [1] }, { a: [] }],
    ['a field that is not declared', { required: ['b'] }, { b: 1 }, {}],
    [
      'one of two fields',
      { anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      { b: 1 },
      { c: 1 },
    ],
    [
      'an object as a constant',
      { properties: { a: { const: { b: 1 } } } },
      { a: { b: 1 } },
      { a: {} },
    ],
    [
      'letters of any language',
      { properties: { a: { pattern: '^\\p{L}+$' } } },
      { a: 'é' },
      { a: '1' },
    ],
    ['a format', { properties: { a: { format: 'date' } } }, { a: '2026-01-02' }, { a: 'today' }],
    [
      'what draft 7 calls a tuple',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        properties: { a: { items: [{ type: 'number' }], additionalItems: false } },
      },
      { a: [1] },
      { a: [1, 2] },
    ],
    [
      'the first of a list',
      { properties: { a: { prefixItems: [{ type: 'number' }] } } },
      { a: [1] },
      { a: ['x'] },
    ],
  ])('%s is judged as the standard says', async (_what, more, valid, invalid) => {
    const text = JSON.stringify({ type: 'object', ...more });
    const { findProblems } = await parseReportSchema(text, path);
    expect(await findProblems(valid)).toEqual([]);
    expect(await findProblems(invalid)).not.toEqual([]);
  });

  it('does not hang by a pattern that is slow for a text', async () => {
    const slow = { type: 'object', properties: { a: { pattern: '^(a+)+$' } } };
    const { findProblems } = await parseReportSchema(JSON.stringify(slow), path);
    expect(await findProblems({ a: `${'a'.repeat(40)}!` })).toEqual([
      '/report: it could not be judged by the schema within 5 s',
    ]);
    expect(await findProblems({ a: 'aa' })).toEqual([]);
  });

  it.each([
    ['of unknown keywords', '{"type": "object", "requierd": ["a"]}', 'Photon cannot check it: '],
    [
      'of another draft',
      '{"type": "object", "$schema": "http://json-schema.org/draft-04/schema#"}',
      'Photon cannot check it: ',
    ],
    [
      'with a reference to nothing',
      '{"type": "object", "properties": {"a": {"$ref": "#/$defs/b"}}}',
      'Photon cannot check it: ',
    ],
    [
      'with a pattern that is none',
      '{"type": "object", "properties": {"a": {"pattern": "("}}}',
      'Photon cannot check it: ',
    ],
    ['no JSON', '{"type": ', 'it is no JSON: '],
    ['no object', '{"type": "array"}', 'its root must have "type": "object".'],
    ['null', 'null', 'its root must have "type": "object".'],
    ['too large', JSON.stringify({ type: 'object', title: 'x'.repeat(32_000) }), 'larger than'],
  ])('that is %s is refused', async (_what, text, says) => {
    await expect(parseReportSchema(text, path)).rejects.toThrow(
      expect.objectContaining({
        code: 'REVIEW_SCHEMA',
        message: expect.stringMatching(`^${RegExp.escape(`${path}: `)}.*${RegExp.escape(says)}`),
      }),
    );
  });
});
