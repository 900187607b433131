/** Sorts the tasks of a workflow in dependency order. */

export interface Ordered {
  readonly id: string;
  readonly dependsOn: readonly string[];
}

/**
 * Puts each task after its dependencies and otherwise keeps the order. Ignores unknown dependencies.
 * @returns `cycle` with the tasks of a dependency cycle; its first task is repeated at the end.
 */
export function orderTasks<T extends Ordered>(
  tasks: readonly T[],
): { readonly order: readonly T[] } | { readonly cycle: readonly string[] } {
  const order: T[] = [];
  let left = tasks;
  while (left.length > 0) {
    const waiting = new Set(left.map(t => t.id));
    const next = left.find(t => !t.dependsOn.some(d => waiting.has(d)));
    if (next === undefined) return { cycle: findCycle(left) };
    order.push(next);
    left = left.filter(t => t !== next);
  }
  return { order };
}

/** Follows the dependencies; each given task waits for another, so this must reach a cycle. */
function findCycle(waiting: readonly Ordered[]): readonly string[] {
  const path: string[] = [];
  let at: Ordered | undefined = waiting[0];
  while (at !== undefined && !path.includes(at.id)) {
    path.push(at.id);
    const { dependsOn }: Ordered = at;
    at = waiting.find(t => dependsOn.includes(t.id));
  }
  return at === undefined ? path : [...path.slice(path.indexOf(at.id)), at.id];
}

/** A task and everything that depends on it, directly or indirectly. */
export function withDependents(tasks: readonly Ordered[], id: string): ReadonlySet<string> {
  const found = new Set([id]);
  let before = 0;
  while (before < found.size) {
    before = found.size;
    for (const task of tasks) if (task.dependsOn.some(d => found.has(d))) found.add(task.id);
  }
  return found;
}
