export function* calls(random) {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  for (let i = 0; i < 300; i += 1) {
    const order = random.shuffle(names).slice(0, random.int(0, 6));
    const tasks = {};
    order.forEach((name, at) => {
      const pool = random.chance(0.1) ? names : order.slice(0, at);
      tasks[name] = pool.filter(() => random.chance(0.5));
    });
    const shuffled = Object.fromEntries(random.shuffle(Object.entries(tasks)));
    yield ['orderTasks', shuffled];
  }
}
