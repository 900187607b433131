/** A test that fails by chance ends nothing: what fails each time is repaired beside it, and it is named. */
import { describe, expect, it } from 'vitest';
import { openRunner } from '../../../src/repair/runners/open-runner.ts';
import {
  type LocalCheckout,
  openLocalRunner,
  tryCandidates,
  withAdapter,
} from '../../doubles/runner-context.ts';
import { missingFor, needs, pytestPython } from '../../programs.ts';
import { sample } from '../../seed.ts';

/** Fails at its first call on the machine, and so in some runs. */
const script = [
  "import assert from 'node:assert/strict';",
  "import { appendFileSync, readFileSync } from 'node:fs';",
  "import { it } from 'node:test';",
  "import { double } from '../src/double.js';",
  "it('by chance', () => {",
  "  appendFileSync(process.env.HOME + '/runs.txt', '.');",
  "  assert.notEqual(readFileSync(process.env.HOME + '/runs.txt', 'utf8').length, 1);",
  '});',
].join('\n');
const always = "it('each time', () => assert.equal(double(4), 8));\n";
const python = [
  'import os',
  'from double import double',
  'def test_by_chance():',
  "    with open(os.environ['HOME'] + '/runs.txt', 'a+') as file:",
  "        file.write('.')",
  '        file.seek(0)',
  '        assert len(file.read()) != 1',
  '',
].join('\n');

interface Suite {
  readonly checkout: LocalCheckout;
  readonly path: string;
  readonly right: string;
}

const node = (testCommand: string): Suite => ({
  path: 'src/double.js',
  right: 'export const double = n => n * 2;\n',
  checkout: {
    testCommand,
    files: {
      'package.json': '{"type":"module"}',
      'src/double.js': 'export const double = n => n * 3;\n',
      'test/double.test.js': `${script}\n${always}`,
    },
  },
});

const suites: Readonly<Record<string, Suite>> = {
  'node:test': node('node --test'),
  [`pytest ${needs('pytest')}`]: {
    path: 'double.py',
    right: 'def double(n):\n    return n * 2\n',
    checkout: {
      testCommand: `${pytestPython()} -m pytest -q`,
      files: {
        'double.py': 'def double(n):\n    return n * 3\n',
        'test_double.py': `${python}def test_each_time(): assert double(4) == 8\n`,
      },
    },
  },
};

for (const [name, { checkout, path, right }] of sample(
  'runners with flaky tests',
  Object.entries(suites),
  1,
))
  describe.runIf(missingFor(name).length === 0)(name, () => {
    it('repairs what fails each time, and names what does not', async () => {
      await withAdapter(checkout, async (adapter, log) => {
        // where no report lists the cases, their number is one more
        const named = adapter.base.filter(c => c.file !== '');
        expect(named.map(c => c.status)).toEqual(['failed']);
        expect(adapter.base[0]?.id).toMatch(/each.time/);
        expect(log.join('\n')).toMatch(/by.chance" fails in some runs of the same code/);
        const repaired = { [path]: right };
        expect(await tryCandidates(adapter, [repaired, repaired, {}])).toEqual([true, true, false]);
      });
    });
  });

describe('a test that fails by chance', () => {
  it('ends the search if nothing else fails', async () => {
    const { checkout } = node('node --test');
    const files = { ...checkout.files, 'test/double.test.js': `${script}\n` };
    const local = openLocalRunner({ ...checkout, files });
    const choice = await openRunner(local.context);
    local.end();
    expect('stop' in choice ? choice.stop : '').toMatch(
      /^The test ".*by.chance" failed in one run and passed in another run of the same code\. No repair/,
    );
  });
});
