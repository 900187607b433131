/** Pages that can be reached, breadth first, with how many clicks away they are. */
export async function crawl(start, load, maxDepth = Infinity) {
  const depths = new Map([[start, 0]]);
  const queue = [start];
  while (queue.length > 0) {
    const page = queue.shift();
    const depth = depths.get(page);
    if (depth >= maxDepth) continue;
    for (const link of await loadLinks(page, load)) {
      if (depths.has(link)) continue;
      depths.set(link, depth + 1);
      queue.push(link);
    }
  }
  return depths;
}

/** The links of one page; a page that cannot be loaded has none. */
async function loadLinks(page, load) {
  try {
    const { links } = await load(page);
    return links ?? [];
  } catch {
    return [];
  }
}

/** Addresses of all pages within reach, sorted. */
export async function siteMap(start, load) {
  const depths = await crawl(start, load);
  return [...depths.keys()].sort();
}
