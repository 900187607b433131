/** Small changes of a repair are tried in its own lines; what leads back to the fault is none of them. */
import { expect, it } from 'vitest';
import { openSymbols } from '../../../src/navigation/symbols.ts';
import { listCandidates } from '../../../src/repair/candidates/candidates.ts';
import { applyTextEdits } from '../../../src/repair/candidates/edit.ts';
import { tryAlternativeFixes } from '../../../src/repair/choose/alternative-fixes.ts';
import type { RepairContext } from '../../../src/repair/runners/runner-context.ts';
import type { CaseResult, RunnerAdapter } from '../../../src/repair/runners/test-runner.ts';
import { withCopies } from '../../../src/repair/search/in-copies.ts';
import { openShipped } from '../../../src/workspace/trusted/shipped.ts';
import { root } from '../../harness.ts';

const symbols = openSymbols(openShipped(root));
const path = 'a.js';
const text = 'function least(a, b) {\n  if (a > b) return a;\n  return b;\n}\n';
const failing: CaseResult = { id: 'a.test.js > works', file: 'a.test.js', status: 'failed' };

it('are those of the lines that the repair wrote, and say what passes', async () => {
  const made = await symbols.withTree(path, text, tree =>
    listCandidates({ path, text, lines: new Map([[2, 1]]) }, tree),
  );
  const repaired = text.replace('a > b', 'a < b');
  const candidate = made?.find(c => applyTextEdits(text, c.edits) === repaired);
  if (candidate === undefined) throw new Error('no such candidate');
  const seen: string[] = [];
  const adapter: RunnerAdapter = {
    name: 'texts',
    base: [failing],
    coverage: [],
    maxCandidates: 1,
    further: 400,
    open: async () => ({
      run: async job => {
        const now = job.files[path] ?? '';
        seen.push(now);
        const status = /a <=? b/.test(now) && now.includes('return a;') ? 'passed' : 'failed';
        return { cases: [{ ...failing, status }], ended: 'done', coverage: [], cpuMs: 1 };
      },
      close: () => {},
    }),
    close: () => {},
  };
  const context = {
    copies: 2,
    now: () => 0,
    signal: new AbortController().signal,
    withTree: symbols.withTree,
  } as unknown as RepairContext;
  const alternativeFixes = await withCopies({ context, adapter, deadline: 1 }, share =>
    tryAlternativeFixes({ context, adapter, candidate, text, share }),
  );
  expect(alternativeFixes.passed.map(r => r.title)).toContain('another comparison operator');
  // another operator is in the place of the edit; a change of an operand is beside it
  expect(new Set(alternativeFixes.passed.map(r => r.inPlace))).toEqual(new Set([true, false]));
  expect(alternativeFixes.passed.find(r => r.text.includes('a <= b)'))?.inPlace).toBe(true);
  expect(alternativeFixes.passed.find(r => r.text.includes('b + 1'))?.inPlace).toBe(false);
  expect(alternativeFixes.tried).toBe(seen.length);
  expect(seen).not.toContain(text);
  for (const one of seen)
    expect(one.split('\n').toSpliced(1, 1)).toEqual(text.split('\n').toSpliced(1, 1));
});
