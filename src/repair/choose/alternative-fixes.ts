/** Tries small changes of a repair: if they pass as well, the tests do not fully check the repaired lines. */
import type { Node } from 'web-tree-sitter';
import { commonEnds } from '../../base/plural.ts';
import { rankCandidates } from '../candidates/candidate-pool.ts';
import { type Candidate, type Source, streamCandidates } from '../candidates/candidates.ts';
import { applyTextEdits } from '../candidates/edit.ts';
import type { RepairContext } from '../runners/runner-context.ts';
import type { RunnerAdapter } from '../runners/test-runner.ts';
import type { ShareOut } from '../search/in-copies.ts';
import { trialStages, tryOne } from '../search/search.ts';
import { placedTokens } from './choose.ts';
import type { Difference, TwoTexts } from './differential.ts';

/** A small change that passes all tests. */
interface AlternativeFix {
  /** The kind of change. */
  readonly title: string;
  /** The text of the file with it. */
  readonly text: string;
  /** True if it replaces a part of what the repair wrote, and not something else in the line. */
  readonly inPlace: boolean;
  /** Whether the program behaves differently with it; absent if that was not tried. */
  readonly against?: Difference;
}

/** The number of changes tried, and those that pass all tests. */
export interface AlternativeFixes {
  readonly tried: number;
  /** True if the time was up before all were tried. */
  readonly cut?: boolean;
  readonly passed: readonly AlternativeFix[];
}

/** Maximum number of changes to try, best first. */
const maxAlternativeFixes = 60;

/** Templates that change a value or a decision in place, as mutation testing does. */
const kinds = new Set(
  'comparison off-by-one connective arithmetic negation constant variable call-name operand condition return-value unwrap-call slice'.split(
    ' ',
  ),
);

interface AlternativeFixesOptions {
  readonly context: RepairContext;
  readonly adapter: RunnerAdapter;
  readonly candidate: Candidate;
  /** The text of the file before the repair. */
  readonly text: string;
  readonly share: ShareOut;
}

/** Tries changes of the repaired lines, except those that restore the fault. */
export async function tryAlternativeFixes(
  options: AlternativeFixesOptions,
): Promise<AlternativeFixes> {
  const { context, adapter, candidate, text } = options;
  const source = repairedSource(candidate, text);
  const written = changedPart({ first: text, second: source.text });
  const made = await context.withTree(source.path, source.text, root =>
    listAlternatives(source, root),
  );
  const alternativeFixes = (made ?? [])
    .filter(r => applyTextEdits(source.text, r.edits) !== text)
    .slice(0, adapter.further);
  const textOf = new Map([[source.path, source.text]]);
  const trial = { adapter, stages: trialStages(adapter), textOf };
  const tried = await options.share(
    alternativeFixes,
    async (runner, alternativeFix): Promise<AlternativeFix | undefined> => {
      const { survived } = await tryOne(runner, alternativeFix, trial);
      if (!survived) return undefined;
      const changed = applyTextEdits(source.text, alternativeFix.edits);
      const part = changedPart({ first: changed, second: source.text });
      const inPlace = part.start < written.end && written.start < part.end;
      return { title: alternativeFix.template.title, text: changed, inPlace };
    },
  );
  return {
    tried: tried.length,
    cut: tried.length < alternativeFixes.length,
    passed: tried.filter(alternativeFix => alternativeFix !== undefined),
  };
}

/** The place of the tokens of the second text that the first one has otherwise; it ends before its start for none. */
function changedPart({ first, second }: TwoTexts): {
  readonly start: number;
  readonly end: number;
} {
  const [before, after] = [placedTokens(first), placedTokens(second)];
  const { head, tail } = commonEnds(
    before.map(([token]) => token),
    after.map(([token]) => token),
  );
  const last = after[after.length - 1 - tail];
  return {
    start: after[head]?.index ?? second.length,
    end: last === undefined ? 0 : last.index + last[0].length,
  };
}

/** The repaired text, with the repaired lines as suspects. */
function repairedSource({ edits, path }: Candidate, text: string): Source {
  const patched = applyTextEdits(text, edits);
  const start = edits[0]?.start ?? 0;
  const end = patched.length - (text.length - Math.max(...edits.map(e => e.end)));
  const first = patched.slice(0, start).split('\n').length;
  const count = patched.slice(start, end).split('\n').length;
  const lines = new Map(Array.from({ length: count }, (_, i) => [first + i, 1] as const));
  return { path, text: patched, lines };
}

/** Candidates over the repaired text; `root` is the tree of that text. */
export function listAlternatives(source: Source, root: Node): readonly Candidate[] {
  const made = streamCandidates({ source, root }).filter(c => kinds.has(c.template.id));
  return rankCandidates(made, new Map([[source.path, source.text]]), maxAlternativeFixes);
}
