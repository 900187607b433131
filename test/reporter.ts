/** Says at the end what a run of the tests left out and why, and how to repeat it. */
import type { Reporter, TestModule } from 'vitest/node';
import { missingFor, needs, type Program, programs } from './programs.ts';
import { isAll, seed } from './seed.ts';

export default class LeftOutReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules
      .flatMap(m => [...m.children.allTests()])
      .filter(test => test.result().state === 'skipped')
      .map(test => test.fullName);
    const lines = [
      ...missingLines(skipped),
      `Seed ${seed}: PHOTON_TEST_SEED=${seed} repeats this run's random choices.`,
    ];
    const left = skipped.filter(name => missingFor(name).length === 0).length;
    if (left > 0) lines.push(`${left} tests were left out: npm run test:all plays them.`);
    if (!isAll) lines.push('Sweeps were sampled: npm run test:all plays them whole.');
    // who runs the tests is no program that can be installed
    const missing = skipped.some(name => missingFor(name).some(program => program !== 'root'));
    const fails = missing && process.env.PHOTON_TEST_NEEDS === 'all';
    if (fails) lines.push('PHOTON_TEST_NEEDS is all, so the run fails: a program is missing.');
    process.stdout.write(`\n${lines.join('\n')}\n`);
    if (fails) process.exitCode = 1;
  }
}

/** A line for each program that is missing, with what it kept from being tested. */
function missingLines(skipped: readonly string[]): readonly string[] {
  const counts = new Map<Program, number>();
  for (const title of skipped)
    for (const name of missingFor(title)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(
    ([name, count]) => `${count} tests were skipped ${needs(name)}; to run them: ${programs[name]}`,
  );
}
