/** What the files of the base say about runs that fail, or that have no cases. */
import { failedStage } from '../ecosystems/commands/stages.ts';
import { definesTests } from '../ecosystems/tests/test-code.ts';
import { nothingPassed } from './installed.ts';
import type { TestRun } from './judge/test-run.ts';

interface BaseReader {
  readonly command: string;
  /** Text of a file of the base; undefined if it does not exist. */
  readonly readBase: (path: string) => Promise<string | undefined>;
}

/** For a test command that fails without the patch, too: where, and which setting allows that. */
export async function offerNoRegression(
  { command, readBase }: BaseReader,
  before: TestRun,
): Promise<string> {
  const { summaries } = before;
  const failures = summaries.map(s => s.failed);
  const stage = failedStage(command, await readBase('package.json'), failures);
  const where = stage === '' ? '' : `, in ${stage === 'tests' ? 'its tests' : stage}`;
  if (nothingPassed(before))
    return `The test command fails without the patch, too${where}, and no test case passed there, so nothing can be compared. Make the test command work without the patch first: read its output, and set test-command or setup-command.`;
  return `The test command fails without the patch, too${where}. If that failure is not part of the task, set verify to no-regression: it accepts a patch with which nothing fails that passed before.`;
}

/** True for those of the files without cases that define tests in the base. */
export async function testHolders(
  { readBase }: Pick<BaseReader, 'readBase'>,
  runs: readonly (TestRun | undefined)[],
) {
  const paths = [...new Set(runs.flatMap(ran => ran?.emptyFiles ?? []))].slice(0, 200);
  const texts = await Promise.all(paths.map(async p => [p, (await readBase(p)) ?? ''] as const));
  const holding = new Set(texts.filter(([, text]) => definesTests(text)).map(([path]) => path));
  return (path: string) => holding.has(path);
}
