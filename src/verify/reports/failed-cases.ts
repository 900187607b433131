/** Finds what a run says of its failed cases: the message of a report, or the lines of the output. Pure. */
import type { VerificationRun } from '../../base/outcome.ts';
import { ecosystems } from '../../ecosystems/index.ts';
import type { TestRun } from '../judge/test-run.ts';
import { plainText, readSummaries } from './run-summary.ts';

/** Most names, and most cases whose text is shown. */
const maxNamed = 100;
const maxShown = 3;
/** Most characters and lines of the text of one. */
const maxChars = 1_500;
const maxLines = 25;

const runners = ecosystems.flatMap(e => e.runners ?? []).filter(r => r.failure !== undefined);
const other = /^ *(?:ok \d|# Subtest: |(?:[ℹ#] )?tests \d|[✔✓▶] )|^={10,} short test summary/u;

/** What an output says of one failed case. */
interface Block {
  readonly name: string;
  readonly text: string;
}

/** The text behind each line with which a runner of the output begins a failed case. */
function findBlocks(output: string): readonly Block[] {
  const lines = plainText(output).split('\n');
  const ran = new Set(readSummaries(output).map(s => s.runner));
  const known = runners.filter(r => ran.has(r.runner) || ran.size === 0 || r.runner === 'tap');
  const begins = lines.map(line => {
    const found = line.length > 500 ? undefined : known.find(r => r.failure?.test(line));
    return found?.failure?.exec(line);
  });
  return begins.flatMap((begin, at) => {
    if (!begin) return [];
    const name = begin.slice(1).find(group => group !== undefined) ?? lines[at + 1] ?? '';
    const rest = lines.slice(at + 1, at + maxLines);
    const end = rest.findIndex((line, i) => begins[at + 1 + i] || other.test(line));
    const text = [lines[at], ...rest.slice(0, end < 0 ? rest.length : end)].join('\n');
    return [{ name: name.trim(), text: text.slice(0, maxChars).trimEnd() }];
  });
}

/** The own name of a case, without its file and suites. */
const ownName = (id: string) => id.split(/ > |::/).at(-1) ?? id;

const countLines = (text: string) => text.split('\n').length;

/** What a run says of a failed case, by its id. */
export type TextOfCase = (id: string) => string;

/** Looks up what a run says of its failed cases; empty for a case of which it says nothing. */
export function readFailures({ cases, output = '' }: Pick<TestRun, 'cases' | 'output'>): {
  readonly blocks: readonly Block[];
  readonly textOf: TextOfCase;
} {
  const blocks = findBlocks(output);
  const textOf = (id: string) => {
    const own = ownName(id);
    const fits = blocks.filter(({ text }) => text.split('\n', 3).some(line => line.includes(own)));
    const longest = fits.toSorted((a, b) => countLines(b.text) - countLines(a.text))[0]?.text;
    const message = cases?.find(c => c.id === id)?.message;
    const at =
      longest === undefined ? Math.max(output.lastIndexOf(id), output.lastIndexOf(own)) : -1;
    const text = longest ?? message ?? (at < 0 ? '' : output.slice(at));
    return text.slice(0, maxChars).split('\n').slice(0, maxLines).join('\n').trim();
  };
  return { blocks, textOf };
}

/** The failed cases of a run that fails, from its results or else from the blocks of its output. */
export function findFailedCases(
  ran: Pick<TestRun, 'cases' | 'output'>,
  failures: readonly string[] | undefined,
): VerificationRun['failedCases'] {
  const { blocks, textOf } = readFailures(ran);
  const names = failures ?? blocks.map(b => b.name);
  const shown = [...new Set(names)].slice(0, maxNamed);
  if (shown.length === 0) return undefined;
  return shown.map((name, i) => ({ name, text: i < maxShown ? textOf(name) : '' }));
}
