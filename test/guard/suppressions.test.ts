/** Markers in added lines that silence a check. */
import { describe, expect, it } from 'vitest';
import { traceCase } from '../../src/guard/facts.ts';
import { newSuppressions } from '../../src/guard/suppressions.ts';
import { caseOf, facts, stored } from './judged.ts';

describe('what silences a check', () => {
  it.each([
    ['// eslint-disable-next-line no-var', 'eslint-disable'],
    ['// biome-ignore lint: x', 'biome-ignore'],
    ['// @ts-expect-error x', '@ts-ignore'],
    ['const x = y as any;', 'as any'],
    ['import os  # noqa: F401', '# noqa'],
    ['x = f()  # type: ignore[arg]', '# noqa'],
    ['# pylint: disable=x', 'pylint: disable'],
    ['x() // nolint:errcheck', '// nolint'],
    ['@SuppressWarnings("x")', 'noinspection'],
    ['#[allow(dead_code)]', '#[allow('],
    ['/* c8 ignore next */', 'istanbul ignore'],
    ["it.skip('x', f)", 'test.skip('],
    ["xit('x', f)", 'xit('],
    ['@pytest.mark.skip(reason="x")', 'pytest.mark.skip'],
    ['@Disabled', '@Disabled'],
    ['t.Skip("x")', 't.Skip('],
  ])('%s is found, and its name is in the ledger', (added, name) => {
    const claim = { kind: 'write', path: 'a', change: 'edit', ranges: [], added } as const;
    expect(newSuppressions(claim, [])).toEqual([name]);
    const trace = stored(traceCase(caseOf([{ ...claim, added: `x\n${added}\ny` }], facts), []));
    expect(trace.claims[0]).toMatchObject({ lines: 3, suppresses: [name] });
    expect(JSON.stringify(trace)).not.toContain('errcheck');
  });

  it('what the file held before is nothing new, under any spelling of its path', () => {
    const claim = {
      kind: 'write',
      path: './m',
      change: 'replace',
      ranges: [],
      added: 'xit(1)',
    } as const;
    const marked = { m: { kind: 'file', tracked: true, lines: ['xit(1)'] } } as const;
    // as the ledger writes it
    const written = JSON.stringify(traceCase(caseOf([claim], marked), []).claims[0]);
    expect(JSON.parse(written)).not.toHaveProperty('suppresses');
    expect(traceCase(caseOf([claim], {}), []).claims[0]).toHaveProperty('suppresses', ['xit(']);
  });

  it('two markers stay two', () => {
    const added = 'xit(1) // eslint-disable-line';
    const claim = { kind: 'write', path: 'a', change: 'edit', ranges: [], added } as const;
    expect(newSuppressions(claim, [])).toHaveLength(2);
  });

  it.each(['const many = 1;', 'skip();', 'ignore(x)', 'anything: number', '// disable it later'])(
    '%s is not',
    added => {
      const claim = { kind: 'write', path: 'a', change: 'edit', ranges: [], added } as const;
      expect(newSuppressions(claim, [])).toBeUndefined();
    },
  );
});
