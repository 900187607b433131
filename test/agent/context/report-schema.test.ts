import { describe, expect, it } from 'vitest';
import { parseReportSchema } from '../../../src/agent/context/report-schema.ts';

const path = '.photon/review.json';
const schema = {
  type: 'object',
  required: ['risk'],
  properties: { risk: { type: 'string', enum: ['low', 'high'] } },
};

describe('the schema of what a review reports', () => {
  it('judges a report, and names the place of each problem', () => {
    const { text, findProblems } = parseReportSchema(JSON.stringify(schema, undefined, 2), path);
    expect(JSON.parse(text)).toEqual(schema);
    expect(text).not.toContain('\n');
    expect(findProblems({ risk: 'low' })).toEqual([]);
    expect(findProblems({ risk: 'medium' })).toEqual([expect.stringMatching(/^\/report\/risk: /)]);
    expect(findProblems('low')).toHaveLength(1);
  });

  it('names at most ten problems', () => {
    const names = Array.from({ length: 12 }, (_, i) => `p${i}`);
    const all = { type: 'object', required: names, properties: {} as Record<string, object> };
    for (const name of names) all.properties[name] = { type: 'number' };
    const { findProblems } = parseReportSchema(JSON.stringify(all), path);
    expect(findProblems({})).toHaveLength(10);
  });

  it.each([
    ['no JSON', '{"type": ', 'it is no JSON: '],
    ['no object', '{"type": "array"}', 'its root must have "type": "object".'],
    ['null', 'null', 'its root must have "type": "object".'],
    ['too large', JSON.stringify({ type: 'object', title: 'x'.repeat(32_000) }), 'larger than'],
  ])('that is %s is refused', (_what, text, says) => {
    expect(() => parseReportSchema(text, path)).toThrow(
      expect.objectContaining({
        code: 'REVIEW_SCHEMA',
        message: expect.stringMatching(`^${RegExp.escape(`${path}: `)}.*${RegExp.escape(says)}`),
      }),
    );
  });
});
