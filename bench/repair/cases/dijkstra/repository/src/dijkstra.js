/** The open node that is nearest so far; null when none is left. */
function takeNearest(open, distances) {
  let nearest = null;
  for (const node of open) {
    if (nearest === null || distances.get(node) < distances.get(nearest)) nearest = node;
  }
  open.delete(nearest);
  return nearest;
}

/**
 * The shortest way between two nodes of a weighted, directed graph:
 * `graph[node]` is a record of neighbours with their distance, all positive.
 * Null when there is no way.
 */
export function shortestPath(graph, from, to) {
  const distances = new Map([[from, 0]]);
  const previous = new Map();
  const open = new Set([from]);
  while (open.size > 0) {
    const node = takeNearest(open, distances);
    if (node === to) break;
    for (const [next, weight] of Object.entries(graph[node] ?? {})) {
      const distance = distances.get(node) + weight;
      if (distance < (distances.get(next) ?? Infinity)) {
        distances.set(next, distance);
        previous.set(next, node);
        open.add(next);
      }
    }
  }
  if (!distances.has(to)) return null;
  const path = [to];
  while (path[0] !== from) path.unshift(previous.get(path[0]));
  return { distance: distances.get(to), path };
}
