/** Any test command that tells its cases, by a JUnit or JSON report or as TAP: a whole run a candidate. */
import { coldFurther, openCold } from './cold.ts';
import { quoted } from './command-words.ts';
import type { CaseResult, TestBed } from './test-runner.ts';
import type { Workbench } from './workbench.ts';

const mostCandidates = 100;

/** Runs the command once as it stands; null when nothing tells how each case ended. */
export async function openReport(bench: Workbench): Promise<TestBed | null> {
  const command = bench.testCommand;
  if (command === null) return null;
  const open = async () => {
    const view = await bench.open();
    return openCold({
      bench,
      view,
      // a report of the candidate before is none of this one
      line: () => (bench.report === '' ? command : `rm -f ${quoted(bench.report)}; ${command}`),
      parse: async output => {
        const report = bench.report === '' ? output : (view.read(bench.report) ?? '');
        const cases = (await bench.readCases(report)) ?? [];
        return cases.map((c): CaseResult => ({ ...c, file: '' }));
      },
    });
  };
  const first = await open();
  const whole = [{ tests: [], only: null }];
  const seen = await first.run({ files: {}, stages: whole, bail: false, coverage: false });
  first.close();
  if (seen.ended !== 'done' || seen.cases.length === 0) return null;
  return {
    name: 'the whole test command for each candidate',
    base: seen.cases,
    coverage: [],
    maxCandidates: mostCandidates,
    further: coldFurther,
    open,
    close: () => {},
  };
}
