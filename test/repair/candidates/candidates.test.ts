/** The candidates of all templates for one file. */
import { describe, expect, it } from 'vitest';
import { applyTextEdits } from '../../../src/repair/candidates/edit.ts';
import { candidatesIn, js, py, textsOf } from './templates/repairs.ts';

describe('templates', () => {
  it('make the same candidates in the same order, without repetitions and without empty changes', async () => {
    const text = js(
      '  if (n < list.length && other) return list[n];\n  return Math.min(n, other) - 1;',
    );
    const once = await textsOf('a.js', text);
    expect(await textsOf('a.js', text)).toEqual(once);
    expect(new Set(once).size).toBe(once.length);
    expect(once).not.toContain(text);
    expect(once.length).toBeGreaterThan(100);
  });

  it('add no nothing, and multiply by no one', async () => {
    const added = await textsOf('a.py', py('    return n + 1'));
    expect(added).toContain(py('    return n'));
    expect(added).not.toContain(py('    return n + 0'));
    expect(await textsOf('a.py', py('    n += 1'))).not.toContain(py('    n += 0'));
    expect(await textsOf('a.js', js('  return n * 2;'))).not.toContain(js('  return n * 1;'));
  });

  it('mark what may only hide a failure', async () => {
    const text = py('    if n:\n        raise ValueError(n)\n    return n + other');
    const made = await candidatesIn('a.py', text);
    const risky = made.filter(c => c.risk !== '').map(c => applyTextEdits(text, c.edits));
    expect(risky).toContain(py('    return n + other'));
    expect(risky).toContain(py('    if n:\n        raise ValueError(n)\n    return 0'));
    const ordinary = made.filter(c => c.risk === '').map(c => applyTextEdits(text, c.edits));
    expect(ordinary).toContain(py('    if n:\n        raise ValueError(n)\n    return n - other'));
  });
});
