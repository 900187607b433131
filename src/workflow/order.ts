/** Tasks of a workflow in dependency order, pure. */

export interface Ordered {
  readonly id: string;
  readonly dependsOn: readonly string[];
}

/**
 * Each task behind those it depends on, otherwise in the order given. Dependencies that are no
 * tasks are passed over.
 * @returns `cycle` names the tasks of a circle, the first one again at its end.
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

/** Every task given waits for another of them, so that following them leads into a circle. */
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

/** A task and all that depends on it, by any number of steps. */
export function withDependents(tasks: readonly Ordered[], id: string): ReadonlySet<string> {
  const found = new Set([id]);
  let before = 0;
  while (before < found.size) {
    before = found.size;
    for (const task of tasks) if (task.dependsOn.some(d => found.has(d))) found.add(task.id);
  }
  return found;
}
