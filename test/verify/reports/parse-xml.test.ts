import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseXml } from '../../../src/verify/reports/parse-xml.ts';
import { root } from '../../root.ts';
import { expected, listed, report } from './node-report.ts';

describe('reports are hostile input', () => {
  it('JUnit gives its cases', async () => {
    const xml =
      '<?xml version="1.0"?><testsuites><testsuite name="s"><testcase classname="C" name="a"/><testcase classname="C" name="b &amp; c"><failure message="x">y</failure></testcase><testcase name="d"><skipped/></testcase></testsuite></testsuites>';
    expect(await parseXml(xml)).toEqual([
      { id: 'C > a', status: 'passed' },
      { id: 'C > b & c', status: 'failed', message: 'x\ny' },
      { id: 'd', status: 'skipped' },
    ]);
  });

  const forms = [
    [
      'failure text in CDATA',
      '<testsuite><testcase name="a"><failure message="x"><![CDATA[1 < 2]]></failure></testcase></testsuite>',
      [{ id: 'a', status: 'failed', message: 'x\n1 < 2' }],
    ],
    [
      'CTest: disabled and not run',
      '<testsuite name="Linux-c++"><testcase name="a" classname="a" status="run"/><testcase name="b" classname="b" status="disabled"/><testcase name="c" classname="c" status="notrun"><skipped message="x"/></testcase><testcase name="d" classname="d" status="fail"><failure message=""/></testcase></testsuite>',
      [
        { id: 'a > a', status: 'passed' },
        { id: 'b > b', status: 'skipped' },
        { id: 'c > c', status: 'skipped' },
        { id: 'd > d', status: 'failed' },
      ],
    ],
    [
      'GoogleTest: disabled',
      '<testsuites><testsuite name="S"><testcase name="DISABLED_a" status="notrun" result="suppressed" classname="S"/></testsuite></testsuites>',
      [{ id: 'S > DISABLED_a', status: 'skipped' }],
    ],
    [
      'NUnit 3',
      '<test-run id="2" result="Failed"><test-suite type="Assembly" name="Shop.dll"><test-case name="A" fullname="Shop.A" result="Passed"/><test-case name="B" fullname="Shop.B" result="Failed"><failure><message><![CDATA[Expected: 2]]></message></failure></test-case><test-case name="C" fullname="Shop.C" result="Skipped"/></test-suite></test-run>',
      [
        { id: 'Shop.A', status: 'passed' },
        { id: 'Shop.B', status: 'failed', message: 'Expected: 2' },
        { id: 'Shop.C', status: 'skipped' },
      ],
    ],
    [
      'NUnit 2',
      '<test-results><test-suite><results><test-case name="Shop.A" executed="True" result="Success"/><test-case name="Shop.B" executed="False" result="Ignored"/><test-case name="Shop.C" executed="True" result="Error"/></results></test-suite></test-results>',
      [
        { id: 'Shop.A', status: 'passed' },
        { id: 'Shop.B', status: 'skipped' },
        { id: 'Shop.C', status: 'failed' },
      ],
    ],
    [
      'xUnit',
      '<assemblies><assembly name="Shop.dll"><collection><test name="Shop.A" result="Pass"/><test name="Shop.B" result="Fail"><failure><message>no</message></failure></test><test name="Shop.C" result="Skip"><reason>x</reason></test></collection></assembly></assemblies>',
      [
        { id: 'Shop.A', status: 'passed' },
        { id: 'Shop.B', status: 'failed', message: 'no' },
        { id: 'Shop.C', status: 'skipped' },
      ],
    ],
    [
      'TRX',
      '<TestRun xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010"><Results><UnitTestResult testName="A" outcome="Passed"/><UnitTestResult testName="B" outcome="Failed"><Output><ErrorInfo><Message>Assert.AreEqual failed.</Message></ErrorInfo></Output></UnitTestResult><UnitTestResult testName="C" outcome="NotExecuted"/></Results></TestRun>',
      [
        { id: 'A', status: 'passed' },
        { id: 'B', status: 'failed', message: 'Assert.AreEqual failed.' },
        { id: 'C', status: 'skipped' },
      ],
    ],
  ] as const;
  it.each(forms)('%s', async (_name, xml, expected) =>
    expect(await parseXml(xml)).toEqual(expected),
  );

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
  ])('JUnit with %s is refused', async (_name, xml) => expect(await parseXml(xml)).toBeUndefined());
});

describe('reports that real tools write', () => {
  it('node:test as JUnit', async () => {
    const { stdout, file } = await report('junit');
    const cases = listed(await parseXml(stdout));
    // older versions do not name the file
    const ids = cases.map(c => [c.status, c.id.replace(`${file} > `, '')]);
    expect(ids).toEqual(expected);
    expect(cases?.[1]?.message).toContain(`${file}:5:`);
  });

  it('pytest as JUnit', async () => {
    const text = readFileSync(join(root, 'test/fixtures/reports/pytest-9.0.3.xml'), 'utf8');
    const cases = listed(await parseXml(text));
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
