import { describe, expect, it } from 'vitest';
import type { ReviewFinding } from '../../../src/base/findings.ts';
import { reviewBody, reviewText } from '../../../src/report/comment/review.ts';

const none = { opinions: 0, offDiff: 0, beyondLimit: 0 };
const finding = { severity: 'high', problem: 'A negative total ships.' } as ReviewFinding;
const body = (count: number, leftOut: object = none) =>
  reviewBody({
    head: '0123456789abcdef',
    findings: Array.from({ length: count }, () => finding),
    leftOut,
  } as unknown as Parameters<typeof reviewBody>[0]);

describe('the body of a review', () => {
  it('counts the findings at their commit', () => {
    expect(body(1)).toBe('Photon: 1 finding at `0123456789ab`.');
    expect(body(0)).toBe('Photon: 0 findings at `0123456789ab`.');
  });

  it('says what was left out, and why', () => {
    expect(body(2, { opinions: 3, offDiff: 0, beyondLimit: 1 })).toBe(
      'Photon: 2 findings at `0123456789ab`. Left out: 3 not proven, 1 beyond the limit.',
    );
  });
});

describe('the comment of a finding', () => {
  const text = (proof?: object) =>
    reviewText.finding({ ...finding, proof } as unknown as ReviewFinding);

  it('names an opinion as one', () => {
    expect(text()).toContain('**High:** A negative total ships.');
    expect(text()).toContain('This is an opinion: nothing was run that shows it.');
  });

  it('keeps the Markdown of the model, and shows what a tool reports as it is', () => {
    const shown = (problem: string, proof: object | null) =>
      reviewText.finding({ ...finding, problem, proof } as unknown as ReviewFinding);
    expect(shown('**`a` is** read @twice', null)).toMatch(
      /^\*\*High:\*\* \*\*`a` is\*\* read `@twice`\n/,
    );
    expect(shown('- one\n- two', null)).toMatch(/^\*\*High:\*\*\n\n- one\n- two\n/);
    expect(shown('```js\na()\n```', null)).toMatch(/^\*\*High:\*\*\n\n```text\na\(\)\n```\n/);
    expect(shown('*a* is unused', { kind: 'check', command: 'lint' })).toMatch(
      /^\*\*High:\*\* \\\*a\\\* is unused\n/,
    );
  });

  it('shows the test, and what it does on the base', () => {
    const test = { kind: 'test', path: 'test/a.js', text: 'assert(false)' };
    expect(text({ ...test, base: 'passes' })).toContain('and it passes on the base.');
    expect(text({ ...test, base: 'missing' })).toContain('and the base does not have this file.');
    expect(text({ ...test, base: 'passes' })).toContain('assert(false)');
  });

  it('names the check, or the edit that no test notices', () => {
    expect(text({ kind: 'check', command: 'npm run lint' })).toContain(
      'Proven: `npm run lint` reports this here, and not on the base.',
    );
    const mutant = { before: 'a > b', after: 'a >= b' };
    expect(text({ kind: 'mutant', mutant })).toContain(
      'Proven: with `a >= b` instead of `a > b`, every test still passes.',
    );
  });
});
