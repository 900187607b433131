/** Warnings about a patch itself: code that cheats the tests, calls that end the process, and files that the set-up reads. */
import { changesSetUp, type SetUpFiles } from '../ecosystems/commands/set-up.ts';
import { endsProcess } from '../ecosystems/tests/test-code.ts';
import { findNewCheats } from '../ecosystems/tests/test-role.ts';
import type { FileChange } from '../workspace/files/change.ts';
import { addedText } from '../workspace/text/diff.ts';
import type { TestRun } from './judge/test-run.ts';
import type { RunOptions } from './run-tests.ts';

interface PatchOptions extends Pick<RunOptions, 'network'> {
  /** Files of the base that the set-up command reads; undefined if there is no set-up. */
  readonly setUpFiles: (() => Promise<SetUpFiles>) | undefined;
}

/** Warnings about the patch itself, besides those about the runs. */
export async function patchWarnings(
  options: PatchOptions,
  changes: readonly FileChange[],
  after: TestRun,
): Promise<readonly string[]> {
  const ending = endingCalls(changes);
  const setUp = await options.setUpFiles?.();
  const read =
    setUp === undefined ? [] : changes.filter(c => changesSetUp(c, setUp)).map(c => c.path);
  return [
    ending.length === 0
      ? undefined
      : `The patch adds a call that can end the process in ${ending.join(', ')}. ${after.summaries.length === 0 ? 'The test command prints no summary that shows whether the tests finished.' : 'Check that the tests finished.'}`,
    read.length === 0
      ? undefined
      : `The patch changes files that the set-up command reads: ${read.slice(0, 10).join(', ')}. ${options.network === 'setup' ? 'The set-up ran with network on the base, and without network on the patch.' : 'Review them before you run the set-up.'}`,
  ].filter(item => item !== undefined);
}

/** How the first warning begins of a patch whose source may cheat the tests. */
export const mayCheat = 'Check whether this patch cheats its tests: ';

/** The warning about source that changes how tests judge, or behaves otherwise under tests; undefined if there is none. */
export function cheatWarning(source: readonly FileChange[]): string | undefined {
  const cheats = source.flatMap(c => findNewCheats(c).map(cheat => ({ path: c.path, ...cheat })));
  if (cheats.length === 0) return undefined;
  const named = cheats.slice(0, 5).map(({ path, does, code }) => `${path} ${does} (${code})`);
  const more = cheats.length > 5 ? `; and ${cheats.length - 5} more` : '';
  return `${mayCheat}${named.join('; ')}${more}.`;
}

/** At most ten paths whose added lines can end the process with success. */
export function endingCalls(changes: readonly FileChange[]): readonly string[] {
  return changes
    .filter(c => c.after !== undefined && isCode(c.path) && endsProcess(addedText(c)))
    .map(c => c.path)
    .slice(0, 10);
}

function isCode(path: string): boolean {
  return !/\.(md|mdx|rst|txt|adoc|html|json|ya?ml|toml)$/i.test(path);
}
