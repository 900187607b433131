/** Symbols inside of each other. */

/** A function, and a method inside of its lines. */
export const nested = [
  { name: 'a', kind: 'F' as const, startLine: 1, endLine: 9 },
  { name: 'a', kind: 'M' as const, startLine: 3, endLine: 5, container: 'C' },
];
