/** Reuses the runners that the embedded engine opened: its adapter, with a patch in place. */
import type { FileChange } from '../../workspace/files/change.ts';
import { casesToCover, withLeftOut } from '../runners/covered-cases.ts';
import type { RepairContext } from '../runners/repair-context.ts';
import type { RunnerAdapter } from '../runners/test-runner.ts';
import { listTestFiles, passesAll } from '../search/search.ts';

/**
 * The adapter with the patch in place, after one run of its tests with coverage. Null if the patch is more than another
 * text of one file, if a test fails, or if the runner records no lines for a candidate.
 */
export async function patchedAdapter(
  adapter: RunnerAdapter,
  context: Pick<RepairContext, 'text'>,
  changes: readonly FileChange[],
): Promise<RunnerAdapter | undefined> {
  const [change, ...others] = changes;
  if (change === undefined || others.length > 0 || change.before === undefined) return undefined;
  const text = await context.text(change.path);
  if (text === undefined || change.after?.mode !== change.before.mode) return undefined;
  const files = { [change.path]: text };
  const tests = listTestFiles(adapter.base);
  const only = casesToCover(adapter.base);
  const runner = await adapter.open();
  try {
    const job = { files, bail: false };
    const covered = await runner.run({
      ...job,
      stages: [{ tests, only: only ?? null }],
      coverage: true,
    });
    const whole =
      only === undefined
        ? covered
        : await runner.run({ ...job, stages: [{ tests, only: null }], coverage: false });
    if (covered.coverage.length === 0 || !passesAll(whole, adapter.base)) return undefined;
    return {
      ...adapter,
      base: whole.cases,
      coverage: withLeftOut(covered.coverage, whole.cases, only),
      open: async () => {
        const opened = await adapter.open();
        return {
          ...opened,
          run: job => opened.run({ ...job, files: { ...files, ...job.files } }),
        };
      },
      close: () => {},
    };
  } finally {
    runner.close();
  }
}
