/** The summary of a job. */
import { describe, expect, it } from 'vitest';
import { renderComment } from '../../../src/report/comment/comment.ts';
import { renderSummary } from '../../../src/report/comment/summary.ts';
import { outcome } from '../hostile.ts';

describe('what Photon posts', () => {
  it('stays within what GitHub takes, a million characters or not', () => {
    expect(
      Buffer.byteLength(renderSummary([{ outcome: outcome('x'), diff: 'é'.repeat(2_000_000) }])),
    ).toBeLessThan(1024 * 1024);
    const wide = { ...outcome('é'.repeat(5000)), notes: Array(500).fill('\u{1f600}'.repeat(400)) };
    const runs = Array.from({ length: 100 }, () => ({ outcome: wide, diff: '語'.repeat(100_000) }));
    expect(Buffer.byteLength(renderSummary(runs))).toBeLessThan(1024 * 1024);
  });

  it('shows the output that its hint asks to read', () => {
    const failed = outcome('text of the case', 'rolled_back');
    const [, output = expect.fail()] = /(```text\n[\s\S]*?\n```)/.exec(renderComment(failed)) ?? [];
    expect(renderSummary([{ outcome: failed, diff: '' }])).toContain(output);
  });

  it('begins with the pull request, the task and the tests, and folds the patch and how it was found', () => {
    const delivered = {
      kind: 'pull-request' as const,
      operation: 'created' as const,
      pullRequestNumber: 12,
      pullRequestUrl: 'https://github.com/octo/shop/pull/12',
      branch: 'photon/fix',
    };
    const plain = outcome('x');
    const task = { ...plain.task, text: 'Repair the total' };
    const text = renderSummary([{ outcome: { ...plain, task, delivered }, diff: '-a\n+b' }]);
    const order = [
      '## Photon: ',
      '**[Pull request #12](<https://github.com/octo/shop/pull/12>)** from branch `photon/fix`',
      '> Repair the total',
      '<details><summary>Patch</summary>',
    ].map(part => text.indexOf(part));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order).not.toContain(-1);
  });
});
