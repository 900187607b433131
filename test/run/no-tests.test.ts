/** A test command that runs no test case proves nothing: whole runs over a wrong patch, with what each runner prints. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { begin, done, look, prove, sampleFiles, testedByNode } from '../doubles/sample.ts';
import { replaceLine, turnOf } from '../doubles/steps.ts';
import { root } from '../root.ts';
import { playsVariants, sample } from '../seed.ts';
import { play, toldOf } from './scenario.ts';

const wrong = turnOf(
  'This changes the line, and the discount stays wrong.',
  replaceLine('src/price.js', 4, '  return Math.round(total * discountPercent);'),
);
const script = [begin, look, wrong, prove, done];
const neutral = 'Let orderTotal in src/price.js round half a cent up.';

interface Ending {
  readonly runner: string;
  readonly exit: number;
  readonly text: string;
}

const folder = join(root, 'test/fixtures/reports/nothing-ran');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const endings: readonly Ending[] = [
  ...readdirSync(folder)
    .filter(name => name.endsWith('.txt'))
    .map(name => ({ runner: name, exit: Number(/(\d+)\.txt$/.exec(name)?.[1]), text: read(name) })),
  ...(JSON.parse(read('as-documented.json')) as readonly Ending[]),
];
const named = (runner: string) => endings.filter(e => e.runner.startsWith(runner)).slice(0, 1);
const first = ['ctest', 'go', 'pytest', 'gradle'].flatMap(named);

/** A stand-in that prints exactly this, and ends so. */
const standIn = ({ text, exit }: Ending) => ({
  files: { 'tool/said.txt': text },
  inputs: { 'test-command': `cat tool/said.txt; exit ${exit}` },
});

describe('a wrong patch under a command that runs no test case', () => {
  it.each([
    ...sample('first endings without tests', first, 1),
    ...sample(
      'no tests',
      endings.filter(e => !first.includes(e)),
      0,
    ),
  ])('is not delivered: $runner, exit $exit', async ending => {
    await play({ ...standIn(ending), script, task: neutral }, ({ outcome, model }) => {
      expect(outcome).toMatchObject({ status: 'rolled_back', code: 'VERIFY_NO_TESTS' });
      expect(outcome.verification).toMatchObject({ passed: false, code: 'VERIFY_NO_TESTS' });
      expect(toldOf(model)).toContain('The test command ran no test case');
    });
  });
});

describe('a command that counts no cases and passes without the patch', () => {
  const files = { Rakefile: 'task :spec\n', 'tool/doc.sh': 'echo "Wrote spec.html" > spec.html\n' };
  const inputs = { 'test-command': 'sh tool/doc.sh' };

  it.runIf(playsVariants)('proves nothing for a task that speaks of a failing test', async () => {
    const task = 'The discount test of orderTotal in src/price.js fails. Repair it.';
    await play({ script, files, inputs, task }, ({ outcome }) => {
      expect(outcome).toMatchObject({ status: 'rolled_back', code: 'VERIFY_NO_TESTS' });
      expect(outcome.verification?.reason).toContain('it shows no failing test');
    });
  });

  it('makes a draft whose first line says that nothing judged the patch', async () => {
    await play({ script, files, inputs, task: neutral }, ({ outcome, github }) => {
      expect(outcome.status).toBe('committed');
      expect(outcome.verification).toMatchObject({
        passed: false,
        unjudged: true,
        code: 'VERIFY_NOT_SHOWN',
      });
      const [pull] = github.state.pulls.values();
      expect(pull?.draft).toBe(true);
      expect(pull?.body?.split('\n')[0]).toMatch(/^Not verified: no test case judged this patch/);
      const { commit = '' } = outcome.delivered;
      expect(github.store.git(['log', '-1', '--format=%B', commit])).toContain('Not verified.');
    });
  });
});

it('a task that speaks of a failing test, and tests that pass, make a draft that says so', async () => {
  const right = sampleFiles['src/price.js']?.replace('/ 10)', '/ 100)') ?? '';
  const same = {
    ...wrong,
    calls: [
      replaceLine(
        'src/price.js',
        3,
        '  // the sum\n  const total = items.reduce((sum, item) => sum + item.price * item.count, 0);',
      ),
    ],
  };
  const files = { ...testedByNode, 'src/price.js': right };
  await play({ script: [begin, look, same, prove, done], files }, ({ outcome, github }) => {
    expect(outcome).toMatchObject({ status: 'committed', verification: { passed: true } });
    const [pull] = github.state.pulls.values();
    expect(pull?.draft).toBe(true);
    expect(pull?.body?.split('\n')[0]).toMatch(/^The task speaks of a failing test, but/);
  });
});
