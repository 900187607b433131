/** The candidates of all templates for one file. */
import { describe, expect, it } from 'vitest';
import { js, py, textsOf } from './templates/repairs.ts';

describe('templates', () => {
  it('make the same candidates in the same order, without repetitions and without empty changes', async () => {
    const text = js(
      '  if (n < list.length && other) return list[n];\n  return Math.min(n, other) - 1;',
    );
    const once = await textsOf('a.js', text);
    expect(await textsOf('a.js', text)).toEqual(once);
    expect(new Set(once).size).toBe(once.length);
    expect(once).not.toContain(text);
    expect(once.length).toBeGreaterThan(30);
  });

  it('add no nothing, and multiply by no one', async () => {
    const added = await textsOf('a.py', py('    return n + 1'));
    expect(added).toContain(py('    return n'));
    expect(added).not.toContain(py('    return n + 0'));
    expect(await textsOf('a.py', py('    n += 1'))).not.toContain(py('    n += 0'));
    expect(await textsOf('a.js', js('  return n * 2;'))).not.toContain(js('  return n * 1;'));
  });
});
