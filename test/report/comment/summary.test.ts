/** The summary of a job. */
import { describe, expect, it } from 'vitest';
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
});
