/** Evaluates calls of a JavaScript program, and prints a line of JSON for each: `run-calls.ts PROGRAM CALLS TIMES`. */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { mulberry32 } from '../../test/seed.ts';

/** A value as JSON that distinguishes what JSON would not; the order of keys does not count. */
function plain(value: unknown): unknown {
  if (typeof value === 'number' && Number.isFinite(value)) return Number(value.toPrecision(12));
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Set || value instanceof Map)
    return { $: 'set', items: [...value].map(plain) };
  if (value instanceof Date) return { $: value.toJSON() };
  if (typeof value !== 'object') return { $: String(value) };
  return Object.fromEntries(
    Object.entries(value)
      .sort()
      .map(([key, item]) => [key, plain(item)]),
  );
}

type Program = Readonly<Record<string, (...args: unknown[]) => unknown>>;

const [path = '', callsPath = '', times = '1'] = process.argv.slice(2);
const program = (await import(pathToFileURL(path).href)) as Program;
const lines = readFileSync(callsPath, 'utf8').split('\n').filter(Boolean);
const isHelper = (line: string) => /^\w+ = /.test(line);
const helpers = lines
  .filter(isHelper)
  .map(line => `const ${line};`)
  .join('\n');

let changed = false;
/** The functions of the program, which note whether they change an argument. */
const watched = Object.entries(program).map(([, call]) =>
  typeof call !== 'function' || /^class /.test(String(call))
    ? call
    : (...args: unknown[]) => {
        const before = JSON.stringify(plain(args));
        const value = call(...args);
        changed ||= JSON.stringify(plain(args)) !== before;
        return value;
      },
);

let next = mulberry32(0);
const num = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
const pick = (...values: readonly unknown[]) => values[num(0, values.length - 1)];
const many = (low: number, high: number, make: (index: number) => unknown) =>
  Array.from({ length: num(low, high) }, (_, i) => make(i));
const text = (letters: string, low: number, high: number) =>
  many(low, high, () => pick(...letters)).join('');

const names = [...Object.keys(program), 'num', 'pick', 'many', 'text'];
for (const [i, line] of lines.filter(l => !isHelper(l)).entries()) {
  const call = new Function(...names, `${helpers}\nreturn (${line});`);
  for (let n = 0; n < Number(times); n++) {
    // a program that asks for other values than the fix does must not change the next ones
    next = mulberry32(1000 * i + n);
    changed = false;
    let result: object;
    try {
      result = { value: plain(await call(...watched, num, pick, many, text)) };
    } catch (error) {
      result = { error: error instanceof Error ? error.name : String(error) };
    }
    process.stdout.write(`${JSON.stringify({ ...result, changed })}\n`);
  }
}
