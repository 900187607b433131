/** Tests that uv, poetry, pdm or pipenv start run warm, with the interpreter of that environment. */
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withAdapter } from '../../../doubles/runner-context.ts';
import { makeFolder } from '../../../harness.ts';
import { has, needs, pytestPython } from '../../../programs.ts';

const files = {
  'total.py': 'def total(values):\n    return sum(values) + 1\n',
  'test_total.py': [
    'import os, unittest',
    'from total import total',
    'class TotalTest(unittest.TestCase):',
    '    def test_two(self):',
    '        self.assertEqual(total([1, 2]), 3)',
    '    def test_environment(self):',
    '        self.assertEqual(os.environ["STARTED_BY"], "uv")',
    '',
  ].join('\n'),
};

/** Writes programs, by name. */
function writePrograms(folder: string, programs: Readonly<Record<string, readonly string[]>>) {
  for (const [name, lines] of Object.entries(programs)) {
    writeFileSync(join(folder, name), [...lines, ''].join('\n'));
    chmodSync(join(folder, name), 0o755);
  }
}

/** A folder with a double of uv, which notes what it starts, and the interpreter of its environment. */
function environment() {
  const folder = makeFolder();
  const log = join(folder, 'log');
  const programs = {
    uv: [
      '#!/bin/sh',
      `echo "$*" | cut -c1-40 | head -n1 >>'${log}'`,
      'test "$1" = run || exit 2',
      'shift',
      'while [ "$1" = --frozen ]; do shift; done',
      'if [ "$1" = --extra ]; then shift 2; fi',
      'STARTED_BY=uv exec "$@"',
    ],
    python: ['#!/bin/sh', 'exec python3 "$@"'],
  };
  writePrograms(folder, programs);
  const started = () => readFileSync(log, 'utf8').trim().split('\n');
  return { path: `${folder}:${process.env.PATH}`, started };
}

const real = pytestPython();

it.runIf(real !== undefined)(
  `a pytest on the PATH runs its own interpreter ${needs('pytest')}`,
  async () => {
    const folder = makeFolder();
    const at = execFileSync(real ?? '', ['-c', 'import sys; print(sys.executable)'], {
      encoding: 'utf8',
    }).trim();
    const programs = {
      pytest: [`#!${at}`, 'import sys, pytest', 'sys.exit(pytest.main())'],
      python3: ['#!/bin/sh', 'echo this one has no pytest; exit 1'],
    };
    writePrograms(folder, programs);
    const path = `${folder}:${process.env.PATH}`;
    const own = {
      ...files,
      'test_total.py': files['test_total.py'].split('    def test_environment')[0] ?? '',
    };
    await withAdapter(
      { files: { ...own, 'conftest.py': '' }, testCommand: 'pytest -q', path },
      adapter => {
        expect(adapter.name).toBe('pytest, warm');
        expect(adapter.base.map(c => c.status)).toEqual(['failed']);
      },
    );
  },
  600_000,
);

it.runIf(has('python3'))(
  `candidates run in the environment of the command ${needs('python3')}`,
  async () => {
    const { path, started } = environment();
    const testCommand = 'uv run --frozen --extra test python -m unittest';
    await withAdapter({ files, testCommand, path }, async adapter => {
      expect(adapter.name).toBe('unittest, warm');
      expect(adapter.base.map(c => c.status)).toEqual(['passed', 'failed']);
      const runner = await adapter.open();
      const { cases } = await runner.run({
        files: { 'total.py': 'def total(values):\n    return sum(values)\n' },
        stages: [{ tests: ['test_total.py'], only: null }],
        bail: true,
        coverage: false,
      });
      expect(cases.map(c => c.status)).toEqual(['passed', 'passed']);
      runner.close();
    });
    // the warm interpreters and the real run
    expect(started().length).toBe(3);
    for (const line of started()) expect(line).toMatch(/^run --frozen --extra test python /);
  },
  600_000,
);
