import { describe, expect, it } from 'vitest';
import { chooseTasks, isInPart, parsePart } from '../../src/evaluation/task.ts';

describe('the choice', () => {
  const ids = Array.from({ length: 200 }, (_, i) => ({ id: `task-${i}` }));

  it('is repeated by its seed', () => {
    const first = chooseTasks(ids, { limit: 5, seed: 'a' });
    expect(chooseTasks([...ids].reverse(), { limit: 5, seed: 'a' })).toEqual(first);
    expect(chooseTasks(ids, { limit: 5, seed: 'b' })).not.toEqual(first);
  });

  it('gives each task to exactly one part', () => {
    const parts = [1, 2, 3].map(n => ids.filter(t => isInPart(t.id, parsePart(`${n}/3`))));
    expect(parts.flat().length).toBe(200);
    expect(new Set(parts.flat()).size).toBe(200);
    expect(Math.min(...parts.map(p => p.length))).toBeGreaterThan(30);
    for (const wrong of ['0/3', '4/3', '1', 'a/b', ''])
      expect(() => parsePart(wrong)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });
});
