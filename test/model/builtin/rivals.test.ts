/** Small changes of a repair are tried in its own lines; what leads back to the fault is none of them. */
import { expect, it } from 'vitest';
import { candidatesOf } from '../../../src/model/builtin/candidates.ts';
import { applyTextEdits } from '../../../src/model/builtin/edit.ts';
import { tryRivals } from '../../../src/model/builtin/rivals.ts';
import type { CaseResult, TestBed } from '../../../src/model/builtin/test-runner.ts';
import type { Workbench } from '../../../src/model/builtin/workbench.ts';
import { openSymbols } from '../../../src/navigation/symbols.ts';
import { openShipped } from '../../../src/session/shipped.ts';
import { root } from '../../harness.ts';

const symbols = openSymbols(openShipped(root));
const path = 'a.js';
const text = 'function least(a, b) {\n  if (a > b) return a;\n  return b;\n}\n';
const failing: CaseResult = { id: 'a.test.js > works', file: 'a.test.js', status: 'failed' };

it('are those of the lines that the repair wrote, and say what passes', async () => {
  const made = await symbols.withTree(path, text, tree =>
    candidatesOf({ path, text, lines: new Map([[2, 1]]) }, tree),
  );
  const repaired = text.replace('a > b', 'a < b');
  const candidate = made?.find(c => applyTextEdits(text, c.edits) === repaired);
  if (candidate === undefined) throw new Error('no such candidate');
  const seen: string[] = [];
  const bed: TestBed = {
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
  const bench = {
    copies: 2,
    now: () => 0,
    signal: new AbortController().signal,
    withTree: symbols.withTree,
  } as unknown as Workbench;
  const rivals = await tryRivals({ bench, bed, candidate, text, deadline: 1 });
  expect(rivals.passed).toContain('another comparison operator');
  expect(rivals.tried).toBe(seen.length);
  expect(seen).not.toContain(text);
  for (const one of seen)
    expect(one.split('\n').toSpliced(1, 1)).toEqual(text.split('\n').toSpliced(1, 1));
});
