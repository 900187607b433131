/** The one seed of the tests: every random choice, sample and interleaving comes from it. */
import { createHash } from 'node:crypto';

/** True under `npm run test:all -- --complete`: nothing is sampled but what would take hours. */
export const isAll = process.env.PHOTON_TEST_SCOPE === 'all';

const rows = process.env.PHOTON_TEST_ROWS;

/**
 * True if what other tests show already is played once more in another form: everywhere but in a plain `npm test`. Most
 * of these are whole runs, which cost a second each.
 */
export const playsVariants = rows !== 'few';

/** True when vitest writes files anew (`-u`): a sample of them would leave the others as they were. */
export const isWriting = process.env.PHOTON_TEST_WRITES === '1';

/**
 * A whole number of 32 bits, set by `vitest.config.ts`: the same every time, and another one in each complete run, which prints
 * it so that `PHOTON_TEST_SEED` can repeat the run.
 */
export const seed: number = Number(process.env.PHOTON_TEST_SEED ?? 1);

/**
 * A shell line that starts more and more processes. As root no limit of the kernel's slows a fork bomb down, and it
 * can keep other tests from starting anything: `npm test` has one that stops at 250, before it holds more memory than its test allows.
 */
export const forkBomb = isAll
  ? 'b() { b | b & b; }; b'
  : 'i=0; while [ $i -lt 250 ]; do sleep 600 & i=$((i+1)); done; wait';

/** Numbers from 0 up to 1; the same for the same seed and name. */
export function randomOf(name: string): () => number {
  return mulberry32(createHash('sha256').update(`${seed} ${name}`).digest().readUInt32LE());
}

/** Numbers from 0 up to 1 by mulberry32, public domain, by Tommy Ettinger. */
export function mulberry32(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * So many of the items by the seed, in their own order. In a complete run `most` of them, or all; all, too, when `-t`
 * names a test.
 */
export function sample<const T>(
  name: string,
  items: readonly T[],
  few: number,
  most = Number.POSITIVE_INFINITY,
): readonly T[] {
  const count = rows === 'all' ? most : few;
  if (items.length <= count) return items;
  const random = randomOf(name);
  const drawn = items.map((_, i) => [random(), i] as const).sort(([a], [b]) => a - b);
  const chosen = new Set(drawn.slice(0, count).map(([, i]) => i));
  return items.filter((_, i) => chosen.has(i));
}

/** How many milliseconds this machine takes for one pure computation, so that times can be compared between machines. */
export function timeLoop(): number {
  const startedAt = performance.now();
  const random = mulberry32(1);
  for (let i = 0; i < 100_000_000; i++) random();
  return performance.now() - startedAt;
}
