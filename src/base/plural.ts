/** `1 file`, `2 files`. */
export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`;
}

/** The first three items as `format` shows them, and how many more there are: `a, b, c and 2 more`. */
export function listFirst<T>(items: readonly T[], format: (item: T) => string): string {
  const more = items.length > 3 ? ` and ${items.length - 3} more` : '';
  return `${items.slice(0, 3).map(format).join(', ')}${more}`;
}
