/** A run of many small reads that then repairs the sample, and what its requests have in common. */
import type { ScriptedTurn } from './model.ts';
import { begin, done, look, prove, repair, sampleFiles } from './sample.ts';

const linesOfFile = 400;
const partCount = 6;

const part = (n: number) =>
  Array.from(
    { length: linesOfFile },
    (_, i) => `// line ${i + 1} of part ${n} of this file\n`,
  ).join('');

/** The sample with six long files to read. */
export const longRunFiles: Readonly<Record<string, string>> = {
  ...sampleFiles,
  ...Object.fromEntries(Array.from({ length: partCount }, (_, i) => [`src/part${i}.js`, part(i)])),
};

const list: ScriptedTurn = {
  text: 'I need to know the files before I read them. I list the folder.',
  calls: [{ name: 'list_project_files', arguments: { folder: 'src' } }],
};

const readOf = (file_path: string, start_line: number, end_line: number): ScriptedTurn => ({
  text: 'The next lines are needed to see how the total is made. I read just them.',
  calls: [
    { name: 'read_code_block', arguments: { requests: [{ file_path, start_line, end_line }] } },
  ],
});

/** How a long run reads: the same lines again and again, or other lines each time. */
export const readings = {
  again: (n: number) => readOf('src/part0.js', 1 + (n % 5), 45),
  onward: (n: number) => {
    const start = 1 + 30 * Math.floor(n / partCount);
    return readOf(`src/part${n % partCount}.js`, start, start + 29);
  },
} as const;

/** So many tool calls: skill and plan, reads, and at the end the repair. */
export function longRun(calls: number, reading: keyof typeof readings): readonly ScriptedTurn[] {
  const frame = [begin, list, look, repair, prove, done].flatMap(turn => turn.calls ?? []).length;
  const reads = Array.from({ length: calls - frame }, (_, i) => readings[reading](i));
  return [begin, list, ...reads, look, repair, prove, done];
}

/** The share of each request that the next one begins with, by the messages of their bodies. */
export function prefixShares(bodies: readonly { readonly messages: unknown }[]): readonly number[] {
  const texts = bodies.map(b => JSON.stringify(b.messages).slice(0, -1));
  return texts.slice(1).map((next, i) => {
    const before = texts[i] ?? '';
    let same = 0;
    while (same < before.length && before[same] === next[same]) same += 1;
    return same / before.length;
  });
}
