/** Groups of the numbers 0 to size - 1 that can be joined (disjoint sets, by size). */
export class Groups {
  constructor(size) {
    this.parent = Array.from({ length: size }, (_, i) => i);
    this.sizes = new Array(size).fill(1);
    this.count = size;
  }

  /** The element that stands for the group of `x`; shortens the way as it goes. */
  find(x) {
    while (this.parent[x] !== x) {
      this.parent[x] = this.parent[this.parent[x]];
      x = this.parent[x];
    }
    return x;
  }

  /** Joins the groups of two elements; false when they were one group already. */
  join(a, b) {
    let big = this.find(a);
    let small = this.find(b);
    if (big === small) return false;
    if (this.sizes[big] < this.sizes[small]) [big, small] = [small, big];
    this.parent[small] = big;
    this.sizes[big] += this.sizes[small];
    this.count -= 1;
    return true;
  }

  /** How many elements are in the group of `x`. */
  sizeOf(x) {
    return this.sizes[this.find(x)];
  }
}

/** How many separate parts an undirected graph has. */
export function countParts(size, edges) {
  const groups = new Groups(size);
  for (const [a, b] of edges) groups.join(a, b);
  return groups.count;
}
