import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ReadReport, TestCase } from '../../../src/ecosystems/shared/test-case.ts';
import { parseJunit } from '../../../src/verify/reports/parse-junit.ts';
import { discard, makeFolder, root } from '../../harness.ts';

/** The cases of a valid report. */
function listed(report: ReadReport): readonly TestCase[] {
  if (report === undefined || report === 'too-large') throw new Error(`no cases: ${report}`);
  return report;
}

describe('reports are hostile input', () => {
  it('JUnit gives its cases', async () => {
    const xml =
      '<?xml version="1.0"?><testsuites><testsuite name="s"><testcase classname="C" name="a"/><testcase classname="C" name="b &amp; c"><failure message="x">y</failure></testcase><testcase name="d"><skipped/></testcase></testsuite></testsuites>';
    expect(await parseJunit(xml)).toEqual([
      { id: 'C > a', status: 'passed' },
      { id: 'C > b & c', status: 'failed', message: 'x\ny' },
      { id: 'd', status: 'skipped' },
    ]);
  });

  it.each([
    [
      'a document type',
      '<!DOCTYPE x [<!ENTITY a "b">]><testsuite><testcase name="&a;"/></testsuite>',
    ],
    ['an unknown entity', '<testsuite><testcase name="&lol;"/></testsuite>'],
    ['broken nesting', '<testsuite><testcase name="a"></testsuite>'],
    ['deep nesting', `<testsuite>${'<a>'.repeat(60)}${'</a>'.repeat(60)}</testsuite>`],
    ['another document', '<html></html>'],
    ['nothing', ''],
  ])('JUnit with %s is refused', async (_name, xml) =>
    expect(await parseJunit(xml)).toBeUndefined(),
  );
});

describe('reports that real tools write', () => {
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
  const report = async (reporter: string) => {
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
  };
  const expected = [
    ['passed', 'a suite > works'],
    ['failed', 'a suite > breaks'],
    ['skipped', 'a suite > is skipped'],
    // a failing todo test does not fail the run
    ['skipped', 'a suite > is to do'],
    ['passed', 'outer > works'],
  ];

  it('node:test as JUnit', async () => {
    const { stdout, file } = await report('junit');
    const cases = listed(await parseJunit(stdout));
    // older versions do not name the file
    const ids = cases.map(c => [c.status, c.id.replace(`${file} > `, '')]);
    expect(ids).toEqual(expected);
    expect(cases?.[1]?.message).toContain(`${file}:5:`);
  });

  it('pytest as JUnit', async () => {
    const text = readFileSync(join(root, 'test/fixtures/reports/pytest-9.0.3.xml'), 'utf8');
    const cases = listed(await parseJunit(text));
    expect(cases.map(c => [c.status, c.id])).toEqual([
      ['passed', 'test_x.TestA > test_ok'],
      ['failed', 'test_x.TestA > test_bad'],
      ['passed', 'test_x > test_p[1]'],
      ['passed', 'test_x > test_p[2]'],
      ['skipped', 'test_x > test_s'],
      ['failed', 'test_x > test_err'],
    ]);
    expect(cases?.[1]?.message).toContain('test_x.py:5: AssertionError');
    expect(cases?.[5]?.message).toContain('test_x.py:11: ValueError');
  });
});
