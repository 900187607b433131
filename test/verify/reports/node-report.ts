/** A suite of node:test with every kind of result, as its reporters write it. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadReport, TestCase } from '../../../src/ecosystems/shared/test-case.ts';
import { discard, makeFolder } from '../../harness.ts';

/** The cases of a valid report. */
export function listed(report: ReadReport): readonly TestCase[] {
  if (report === undefined || report === 'too-large') throw new Error(`no cases: ${report}`);
  return report;
}

const suite = [
  "import test, { describe, it } from 'node:test';",
  "import assert from 'node:assert/strict';",
  "describe('a suite', () => {",
  "  it('works', () => {});",
  "  it('breaks', () => assert.equal(1, 2));",
  "  it('is skipped', { skip: 'why' }, () => {});",
  "  it('is to do', { todo: true }, () => { throw new Error('later'); });",
  '});',
  "test('outer', async t => { await t.test('works', () => {}); });",
  '',
].join('\n');
/** What a reporter of node:test writes about the suite, and the test file. */
export async function report(reporter: string) {
  const folder = makeFolder();
  try {
    const file = join(folder, 'a.test.mjs');
    writeFileSync(file, suite);
    const args = ['--test', `--test-reporter=${reporter}`, file];
    const env = { PATH: process.env.PATH };
    const { stdout } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' });
    return { stdout, file };
  } finally {
    discard(folder);
  }
}

/** Status and id of each case of the suite. */
export const expected = [
  ['passed', 'a suite > works'],
  ['failed', 'a suite > breaks'],
  ['skipped', 'a suite > is skipped'],
  // a failing todo test does not fail the run
  ['skipped', 'a suite > is to do'],
  ['passed', 'outer > works'],
];
