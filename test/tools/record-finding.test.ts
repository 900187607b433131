/** record_finding hands a finding of a review to its collector. */
import { describe, expect, it } from 'vitest';
import { recordFinding } from '../../src/tools/record-finding.ts';
import type { FindingCollector, FindingDraft } from '../../src/tools/tool.ts';
import { callTool } from './play.ts';

const stated = { path: 'a.js', start_line: 3, severity: 'high', problem: ' It loses s3cret. ' };

function reviewCollector() {
  const drafts: FindingDraft[] = [];
  const findings: FindingCollector = { record: async draft => `kept as ${drafts.push(draft)}` };
  return { drafts, findings };
}

describe('record_finding', () => {
  it('keeps a finding of one line, and claims its path and that of its test', async () => {
    const { drafts, findings } = reviewCollector();
    const test = { path: 'a.test.js', content: 'fails();' };
    const called = await callTool(recordFinding, { ...stated, test }, { findings });
    expect(called).toMatchObject({
      text: 'kept as 1',
      paths: ['a.js'],
      claims: [
        { kind: 'navigate', path: 'a.js' },
        { kind: 'navigate', path: 'a.test.js' },
      ],
    });
    expect(drafts).toEqual([
      { path: 'a.js', start: 3, end: 3, severity: 'high', problem: 'It loses ***.', test },
    ]);
  });

  it.each([
    ['an end before its start', { end_line: 2 }, '/end_line: before start_line'],
    [
      'a secret in its test',
      { test: { path: 't.js', content: 's3cret' } },
      '/test/content: holds a secret',
    ],
  ])('refuses %s', async (_name, more, problem) => {
    const { drafts, findings } = reviewCollector();
    expect(await callTool(recordFinding, { ...stated, ...more }, { findings })).toEqual({
      problems: [problem],
    });
    expect(drafts).toEqual([]);
  });
});
