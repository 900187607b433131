import { describe, expect, it } from 'vitest';
import {
  money,
  percent,
  renderEvaluation,
  renderEvaluationPage,
  shortTask,
  taskLine,
} from '../../src/evaluation/report.ts';
import { evaluation, result } from './results.ts';

describe('the report', () => {
  const mixed = evaluation([
    result('a', { refusals: { PLAN_SCOPE: 2 } }),
    result('b', { verdict: 'wrong', cost: 0.25, rounds: 8, refusals: { PLAN_SCOPE: 1 } }),
    result('c', { verdict: 'abstained', confined: false }),
  ]);

  it('is one HTML file in which texts of the repository stay texts', () => {
    const title = '</td><script src="https://example.org/x.js">alert(1)</script>\u202e';
    const page = renderEvaluationPage(
      evaluation([result('a', { title, note: title, verdict: 'wrong' })]),
      mixed,
    );
    expect(page).not.toMatch(/<script|<[^>]*(?:src|href)=|url\(|\u202e/);
    expect(page).toContain('&lt;script');
    expect(page).toContain("default-src 'none'");
  });
});

it('figures have the digits that they need', () => {
  expect([0, 0.25, 0.0012, 12].map(money)).toEqual(['0.00', '0.25', '0.0012', '12.00']);
  expect(percent(2 / 3)).toBe('67 %');
});

it('a task is named by the first letters of its commit, or by its name', () => {
  expect(shortTask('0123456789abcdef'.repeat(3).slice(0, 40))).toBe('0123456789ab');
  expect(shortTask('a-task')).toBe('a-task');
});

it('the line of a task says why it is not solved', () => {
  expect(taskLine(result('a', { verdict: 'solved', code: 'PATCH_WRITTEN' }))).not.toContain(
    'PATCH_WRITTEN',
  );
  expect(taskLine(result('a', { verdict: 'failed', code: 'DISK', note: 'two\nlines' }))).toContain(
    'DISK: two lines',
  );
});

it('a comparison names the tasks that one of the two solved', () => {
  const one = evaluation([result('a'), result('b', { verdict: 'failed' })]);
  const other = evaluation([result('a', { verdict: 'failed' }), result('b')]);
  const text = renderEvaluation(one, other);
  expect(text).toContain('only this  1  a');
  expect(text).toContain('only that  1  b');
  expect(renderEvaluation(one, undefined)).not.toContain('against');
});
