/** What each task waits for, as counts, and who waits for it. */
function indexTasks(tasks) {
  const waiting = new Map();
  const dependents = new Map();
  for (const [task, needs] of Object.entries(tasks)) {
    waiting.set(task, needs.length);
    for (const need of needs) {
      if (!(need in tasks)) throw new Error(`unknown task ${need}`);
      dependents.set(need, [...(dependents.get(need) ?? []), task]);
    }
  }
  return { waiting, dependents };
}

/**
 * An order in which every task comes after what it needs (Kahn's algorithm).
 * Throws when tasks wait for each other in a circle.
 */
export function orderTasks(tasks) {
  const { waiting, dependents } = indexTasks(tasks);
  const ready = [...waiting.keys()].filter(task => waiting.get(task) === 0);
  const order = [];
  while (ready.length > 0) {
    const task = ready.shift();
    order.push(task);
    for (const dependent of dependents.get(task) ?? []) {
      waiting.set(dependent, waiting.get(dependent) - 1);
      if (waiting.get(dependent) === 0) ready.push(dependent);
    }
  }
  if (order.length < waiting.size) throw new Error('tasks wait for each other');
  return order;
}
