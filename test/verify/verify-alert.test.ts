import { describe, expect, it } from 'vitest';
import type { Alert } from '../../src/verify/reports/sarif.ts';
import { judgeAlert } from '../../src/verify/verify-alert.ts';
import { at, type Fields, parse } from './sarif-files.ts';

describe('the judgement of a scan', () => {
  const lines = ['one', 'bad()', 'three', 'bad()', 'worse()'];
  const onLine = (startLine: number, more: Fields = {}) => ({
    ruleId: 'r',
    locations: at('src/a.js', {}, { startLine }),
    ...more,
  });
  const alerts = (...results: readonly Fields[]) => parse(results).alerts;
  const judge = (before: readonly Alert[], after: readonly Alert[], linesAfter = lines) => {
    const [target] = before;
    if (target === undefined) throw new Error('there is no target');
    const { gone, fresh } = judgeAlert({ target, before, after, linesBefore: lines, linesAfter });
    return [gone, fresh.length];
  };

  it('follows a finding whose lines moved', () => {
    expect(judge(alerts(onLine(2)), alerts(onLine(3)), ['zero', ...lines])).toEqual([false, 0]);
    const print = { fingerprints: { f: '1' } };
    expect(judge(alerts(onLine(2, print)), alerts(onLine(40, print)))).toEqual([false, 0]);
  });

  it('does not take another repair of the same rule for it', () => {
    expect(judge(alerts(onLine(2), onLine(5)), alerts(onLine(2)))).toEqual([false, 0]);
    expect(judge(alerts(onLine(2), onLine(5)), alerts(onLine(5)))).toEqual([true, 0]);
    // the lines of both read alike: one less is enough
    expect(judge(alerts(onLine(2), onLine(4)), alerts(onLine(4)))).toEqual([true, 0]);
  });

  it('is no if the finding only reads otherwise, and names what is new in another place', () => {
    const other = ['one', 'bad( )', 'three', 'bad()', 'worse()'];
    expect(judge(alerts(onLine(2)), alerts(onLine(2)), other)).toEqual([false, 0]);
    const elsewhere = onLine(1, { locations: at('index.js') });
    expect(judge(alerts(onLine(2)), alerts(elsewhere, onLine(1, { ruleId: 's' })))).toEqual([
      true,
      2,
    ]);
    expect(judge(alerts(onLine(2), elsewhere), alerts(elsewhere))).toEqual([true, 0]);
    expect(judge(alerts(onLine(2)), alerts(onLine(2), onLine(5)))).toEqual([false, 1]);
  });

  it('counts a suppression as no repair', () => {
    const hidden = { suppressions: [{ kind: 'inSource' }] };
    expect(judge(alerts(onLine(2)), alerts(onLine(2, hidden)))).toEqual([false, 0]);
  });
});
