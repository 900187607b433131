import { describe, expect, it } from 'vitest';
import { renderEvaluationPage } from '../../src/evaluation/report-page.ts';
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
