/** Says at the end what a run of the tests left out and why, how to repeat it, and how long it took. */
import type { Reporter, TestModule } from 'vitest/node';
import { missingFor, needs, type Program, programs } from './programs.ts';
import { isAll, seed, timeLoop } from './seed.ts';

export default class LeftOutReporter implements Reporter {
  readonly #startedAt = performance.now();

  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules
      .flatMap(m => [...m.children.allTests()])
      .filter(test => test.result().state === 'skipped')
      .map(test => test.fullName);
    const lines = [
      ...missingLines(skipped),
      `Seed ${seed}: PHOTON_TEST_SEED=${seed} repeats this run's random choices.`,
    ];
    if (process.env.PHOTON_TEST_LIST === 'short')
      lines.push('This was the short list: npm run test:all plays every test.');
    if (!isAll) lines.push('Sweeps were sampled: npm run test:all -- --complete draws them whole.');
    const loops = Math.round((performance.now() - this.#startedAt) / timeLoop());
    lines.push(`It took as long as ${loops} calibration loops (timeLoop in test/seed.ts).`);
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
