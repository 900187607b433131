/** Compares how the stages of a test command fail with and without a patch. Pure. */
import { plainText } from '../reports/run-summary.ts';
import type { StageRun } from './test-run.ts';

/**
 * A stage without test cases, such as a lint or a build, that passed before and fails now, or that fails with lines
 * that it did not print before. Null if there is none.
 */
export function findWorseStage(
  before: readonly StageRun[],
  after: readonly StageRun[],
): string | undefined {
  for (const { name, exitCode, explained, output } of after) {
    if (exitCode === 0 || explained) continue;
    const known = before.find(s => s.name === name);
    if (known === undefined || known.exitCode === 0)
      return `"${name}" fails with the patch, and not without it.`;
    const line = firstNewLine(known.output, output);
    if (line !== undefined)
      return `"${name}" fails in another way than without the patch: ${line.trim().slice(0, 200)}`;
  }
  return undefined;
}

/** The first line that occurs more often than before, whatever its numbers and the folder of the checkout are. */
function firstNewLine(before: string, after: string): string | undefined {
  const left = new Map<string, number>();
  for (const line of splitLines(before))
    left.set(comparable(line), (left.get(comparable(line)) ?? 0) + 1);
  for (const line of splitLines(after)) {
    const count = left.get(comparable(line)) ?? 0;
    if (count === 0) return line;
    left.set(comparable(line), count - 1);
  }
  return undefined;
}

const splitLines = (text: string) =>
  plainText(text)
    .split('\n')
    .filter(line => line.trim() !== '');

function comparable(line: string): string {
  return line
    .trim()
    .slice(0, 1_000)
    .replace(/(?:\/[\w.@+-]+)*(\/[\w.@+-]+\/[\w.@+-]+)/g, '$1')
    .replace(/\d+(?:[.,]\d+)*/g, '#');
}
