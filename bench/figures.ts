/** Measures and prints figures. */

export const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
export const row = (name: string, value: string, goal: string) =>
  process.stdout.write(`${name.padEnd(52)} ${value.padEnd(26)} ${goal}\n`);
