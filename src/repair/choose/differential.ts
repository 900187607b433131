/** Finds out whether two versions of a file behave differently: on the calls of the tests, and on calls near them. */
import { findLanguageAdapter } from '../languages/index.ts';
import type { RepairContext } from '../runners/runner-context.ts';
import type { RunnerAdapter, TestRunner } from '../runners/test-runner.ts';
import { listTestFiles, passesAll, stagesFor } from '../search/search.ts';
import {
  findDifference,
  type PairedFunction,
  pairedFunction,
  pairedText,
  type TwoTexts,
} from './paired-text.ts';

/** `differ` has a call for which the versions return different values, as far as it is known. */
export type Difference =
  | { readonly kind: 'same' | 'unknown' }
  | { readonly kind: 'differ'; readonly call: string };

/** Two versions of a file to compare, and the calls to compare them on. */
export interface Comparison extends TwoTexts {
  readonly path: string;
  /** `seen`: the calls of the passing cases. `near`: those of all cases, and calls near them. */
  readonly calls: 'seen' | 'near';
}

/** Compares versions of a file in the copy of a runner. */
export type Compare = (runner: TestRunner, comparison: Comparison) => Promise<Difference>;

const unknown: Difference = { kind: 'unknown' };
const marker = /photon: versions differ: ([^\n]*?);(?:\s|$)/;
const maxLiterals = 12;

/** Makes the comparison for the tests of an adapter. */
export function makeCompare(context: RepairContext, adapter: RunnerAdapter): Compare {
  let literals: Promise<readonly (string | number)[]> | undefined;
  const passed = adapter.base.filter(c => c.status === 'passed');
  const seen = [{ tests: listTestFiles(passed), only: passed.map(c => c.id) }];
  const run = async (
    runner: TestRunner,
    { path, calls }: Comparison,
    text: string,
  ): Promise<Difference> => {
    const result = await runner.run({
      files: { [path]: text },
      stages: calls === 'seen' ? seen : stagesFor(adapter.base),
      bail: true,
      coverage: false,
    });
    const failed = result.cases.find(c => c.status === 'failed');
    const call = marker.exec(failed?.message ?? '')?.[1];
    if (call !== undefined) return { kind: 'differ', call };
    const base = calls === 'seen' ? passed : adapter.base;
    return { kind: passesAll(result, base) ? 'same' : 'unknown' };
  };
  return async (runner, comparison) => {
    const { path, calls, ...texts } = comparison;
    const language = findLanguageAdapter(path);
    if (language === undefined || language.name === 'go' || texts.first === texts.second)
      return unknown;
    const both = await findFunctions(context, path, texts);
    if (both === undefined) return unknown;
    const python = language.name === 'python';
    const program = context.runner(python ? 'compare.py' : 'compare.cjs');
    literals ??= collectLiterals(context, adapter);
    const own = numbersIn(texts.first.slice(both[0].start, both[0].end));
    const near =
      calls === 'near' ? [...(await literals), ...own.flatMap(n => [n, n - 1, n + 1])] : undefined;
    const textWith = (inputs: typeof near, isStrict: boolean) =>
      pairedText(texts, both, { program, near: inputs, isStrict, python });
    if (near === undefined) return run(runner, comparison, textWith(undefined, false));
    const found = await run(runner, comparison, textWith(near, true));
    if (found.kind !== 'unknown') return found;
    // some calls cannot be compared; others may show a difference all the same
    const some = await run(runner, comparison, textWith(near, false));
    if (some.kind !== 'unknown') return some.kind === 'differ' ? some : unknown;
    // an input that no test has may end the process or never end
    return run(runner, comparison, textWith(undefined, true));
  };
}

/** The function in which the texts differ, in both; undefined if it cannot be compared. */
async function findFunctions(
  context: RepairContext,
  path: string,
  texts: TwoTexts,
): Promise<readonly [PairedFunction, PairedFunction] | undefined> {
  const language = findLanguageAdapter(path);
  const { start, fromEnd } = findDifference(texts);
  const find = async (text: string) =>
    language === undefined
      ? undefined
      : context.withTree(path, text, root =>
          pairedFunction(root, language, { start, end: text.length - fromEnd }),
        );
  const [one, other] = [await find(texts.first), await find(texts.second)];
  if (!one || !other || one.start !== other.start || one.kind !== other.kind) return undefined;
  return texts.first.length - one.end === texts.second.length - other.end
    ? [one, other]
    : undefined;
}

/** The first numbers of a text, each once. */
function numbersIn(text: string): readonly number[] {
  const found = text.matchAll(/(?<![\w.$'"-])\d{1,6}(?:\.\d{1,3})?(?![\w.$'"])/g);
  return [...new Set([...found].map(m => Number(m[0])))].slice(0, maxLiterals);
}

/** Numbers and short texts of the test files. */
async function collectLiterals(
  context: RepairContext,
  { base }: RunnerAdapter,
): Promise<readonly (string | number)[]> {
  const tests = [...new Set(base.filter(c => c.status === 'failed').map(c => c.file))].slice(0, 3);
  const texts = await Promise.all(tests.map(t => context.text(t)));
  const text = texts.join('\n').slice(0, 100_000);
  const words = [...text.matchAll(/(['"])([^'"\\\n]{1,24})\1/g)].map(m => m[2] ?? '');
  return [...numbersIn(text), ...[...new Set(words)].slice(0, maxLiterals)];
}
