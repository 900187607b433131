import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderTasks } from '../../src/workflows/order.ts';

const graph = fc.integer({ min: 1, max: 8 }).chain(n =>
  fc.array(fc.array(fc.integer({ min: 0, max: n - 1 }), { maxLength: 3 }), {
    minLength: n,
    maxLength: n,
  }),
);

describe('the order of tasks', () => {
  it('puts each behind its dependencies, or names a real circle', () => {
    fc.assert(
      fc.property(graph, edges => {
        const tasks = edges.map((to, i) => ({ id: `t${i}`, dependsOn: to.map(d => `t${d}`) }));
        const ordered = orderTasks(tasks);
        if ('order' in ordered) {
          const done = new Set<string>();
          for (const task of ordered.order) {
            expect(task.dependsOn.every(d => done.has(d))).toBe(true);
            done.add(task.id);
          }
          expect(done.size).toBe(tasks.length);
          return;
        }
        const { cycle } = ordered;
        expect(cycle.length).toBeGreaterThan(1);
        expect(cycle.at(-1)).toBe(cycle[0]);
        for (const [i, id] of cycle.slice(0, -1).entries())
          expect(tasks.find(t => t.id === id)?.dependsOn).toContain(cycle[i + 1]);
      }),
    );
  });
});
