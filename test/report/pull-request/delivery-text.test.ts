/** Comments on lines of a pull request, where text of the patch stays text: weak spots in order, one for each line, and suggestions. */
import { describe, expect, it } from 'vitest';
import { renderSuggestions, weakSpots } from '../../../src/report/pull-request/delivery-text.ts';
import { outcome, suggested, task } from '../hostile-outcomes.ts';

const at = (start: number, end: number, shows: 'unexecuted' | 'executed' | 'decided') => ({
  path: 'a.js',
  start,
  end,
  shows,
});
const mutant = (line: number, after: string) => ({
  path: 'a.js',
  line,
  kind: 'another constant',
  before: 'x',
  after,
});
const proof = {
  counts: { decided: 1, executed: 3, unexecuted: 2, unknown: 0 },
  lines: [at(1, 1, 'decided'), at(2, 3, 'executed'), at(5, 6, 'unexecuted'), at(8, 8, 'executed')],
  flaky: [],
  hunks: { total: 1, tried: 1, notNeeded: [] },
  mutants: { tried: 3, survived: [mutant(8, 'y'), mutant(8, 'z')] },
  newTests: [],
  durationMs: 1,
  cut: '',
};
const changes = (text: string) => [
  { path: 'a.js', before: undefined, after: { mode: '100644' as const, bytes: Buffer.from(text) } },
];
const text = Array.from({ length: 9 }, (_, i) => `line ${i + 1}`).join('\n');

it('begin with what no test runs, and have one comment for each line', () => {
  const found = weakSpots(proof, changes(text));
  expect(found.map(({ start, end }) => `${start}-${end}`)).toEqual(['5-6', '8-8', '2-3']);
  expect(found[1]?.body).toContain('```text\ny\n```');
});

it('are known again where the same lines moved, and not where they changed', () => {
  const [first] = weakSpots(proof, changes(text));
  const lower = proof.lines.map(l => ({ ...l, start: l.start + 2, end: l.end + 2 }));
  const [moved] = weakSpots({ ...proof, lines: lower }, changes(`\n\n${text}`));
  const [changed] = weakSpots(proof, changes(text.replace('line 5', 'line five')));
  expect(moved?.fingerprint).toBe(first?.fingerprint);
  expect(changed?.fingerprint).not.toBe(first?.fingerprint);
});

it('show code of the patch as code, whatever is in it', () => {
  const after = '``` </details> @everyone <!-- photon:line=0000000000000000 --> \u202E';
  const mutants = { tried: 1, survived: [mutant(8, after)] };
  const [spot] = weakSpots({ ...proof, lines: [], mutants }, changes(text));
  const [, fence = '', shown = ''] = /^(`{4,})text\n(.*)\n\1$/m.exec(spot?.body ?? '') ?? [];
  expect(fence).toBe('````');
  expect(shown).toContain('@everyone');
  expect(spot?.body).not.toContain('\u202E');
});

describe('an edit as a suggestion of a review', () => {
  it('a suggestion is the very lines, in a fence that they cannot close', () => {
    const input = '``` @octocat\n````\n<img src=x>';
    const { comments } = renderSuggestions(task('x'), outcome('x'), {
      changes: suggested(input),
      shown: new Map([['a.txt', [[1, 3]]]]),
    });
    expect(comments).toEqual([
      {
        path: 'a.txt',
        startLine: 2,
        endLine: 2,
        body: `\`\`\`\`\`suggestion\n${input}\n\`\`\`\`\``,
      },
    ]);
  });

  it('an edit that hides text is no suggestion', () => {
    const { comments, body } = renderSuggestions(task('x'), outcome('x'), {
      changes: suggested('a\u202eb'),
      shown: new Map([['a.txt', [[1, 3]]]]),
    });
    expect(comments).toEqual([]);
    expect(body).not.toContain('\u202e');
  });
});
