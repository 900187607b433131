/** Makes the calls of an oracle to a JavaScript program, and prints a line of JSON for each result. */
import { pathToFileURL } from 'node:url';
import { mulberry32 } from '../../test/seed.ts';

/** A seeded source of test data: the same numbers in every run. */
export interface SeededRandom {
  /** A whole number, including both bounds. */
  readonly int: (low: number, high: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(list: readonly T[]) => T;
  readonly list: <T>(count: number, make: (index: number) => T) => T[];
  readonly text: (alphabet: string, length: number) => string;
  readonly shuffle: <T>(list: readonly T[]) => T[];
}

type Program = Readonly<Record<string, (...args: unknown[]) => unknown>>;
type Driver = (program: Program) => unknown;
/** The name of an exported function and its arguments, or a function that is given the program. */
type Call = readonly [string, ...unknown[]] | readonly [Driver];

function openRandom(seed: number): SeededRandom {
  const next = mulberry32(seed);
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  const pick = <T>(list: readonly T[]): T => list[int(0, list.length - 1)] as T;
  const list = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, i) => make(i));
  const text = (alphabet: string, length: number) =>
    list(length, () => pick([...alphabet])).join('');
  const shuffle = <T>(values: readonly T[]) =>
    values
      .map(value => [next(), value] as const)
      .sort((a, b) => a[0] - b[0])
      .map(([, value]) => value);
  return { int, chance: p => next() < p, pick, list, text, shuffle };
}

/** Rounds a number, because the order of additions does not change the meaning. */
function plainNumber(value: number): unknown {
  if (Number.isInteger(value)) return value;
  return Number.isFinite(value) ? Number(value.toPrecision(12)) : { $: String(value) };
}

/** A value as JSON that distinguishes values that JSON would not; key order does not count. */
function plain(value: unknown): unknown {
  if (typeof value === 'number') return plainNumber(value);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value !== 'object') return { $: typeof value, text: String(value) };
  if (Array.isArray(value)) return Array.from(value, plain);
  if (value instanceof Map) return { $: 'map', entries: [...value].map(plain) };
  if (value instanceof Set) return { $: 'set', values: [...value].map(plain) };
  if (value instanceof Date) return { $: 'date', time: plainNumber(value.getTime()) };
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, field]) => [name, plain(field)]));
}

/** The result of one call: its value or the class of its error, and the arguments that it changed. */
async function resultOf(program: Program, [what, ...args]: Call): Promise<unknown> {
  const before = JSON.stringify(plain(args));
  const call = typeof what === 'string' ? what : 'driver';
  try {
    const value = typeof what === 'string' ? await program[what]?.(...args) : await what(program);
    const after = JSON.stringify(plain(args));
    return { call, value: plain(value), ...(after === before ? {} : { changed: after }) };
  } catch (error) {
    return { call, error: error instanceof Error ? error.name : String(error) };
  }
}

const [oraclePath = '', programPath = ''] = process.argv.slice(2);
const oracle = await import(pathToFileURL(oraclePath).href);
const program = await import(pathToFileURL(programPath).href);
for (const call of oracle.calls(openRandom(20_240_229)))
  process.stdout.write(`${JSON.stringify(await resultOf(program, call))}\n`);
