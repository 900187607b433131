import { describe, expect, it } from 'vitest';
import { parseTap } from '../../../src/verify/reports/parse-tap.ts';
import { expected, listed, report } from './node-report.ts';

describe('reports of millions of elements are bounded', () => {
  it('a hundred thousand cases are read', () =>
    expect(parseTap(`${'ok - a\n'.repeat(100_000)}1..100000`)).toHaveLength(100_000));
});

describe('reports are hostile input', () => {
  it('TAP with subtests gives its leaves', () => {
    const tap =
      'TAP version 13\n# Subtest: a\n    # Subtest: b\n    ok 1 - b\n    # Subtest: c\n    not ok 2 - c\n    1..2\nnot ok 1 - a\n# Subtest: d\nok 2 - d # SKIP later\n1..2\n';
    expect(parseTap(tap)).toEqual([
      { id: 'a > b', status: 'passed' },
      { id: 'a > c', status: 'failed' },
      { id: 'd', status: 'skipped' },
    ]);
  });

  it('repeated and odd names stay distinct', () => {
    expect(parseTap('ok 1 - __proto__\nnot ok 2 - __proto__\nok 3 - constructor\n1..3\n')).toEqual([
      { id: '__proto__', status: 'passed' },
      { id: '__proto__ (2)', status: 'failed' },
      { id: 'constructor', status: 'passed' },
    ]);
  });

  const forms = [
    [
      'a buffered subtest',
      [
        '1..2',
        'ok 1 - parent {',
        '    ok 1 - one',
        '    not ok 2 - two',
        '    1..2',
        '}',
        'ok 2 - three',
      ],
      ['passed parent > one', 'failed parent > two', 'passed three'],
    ],
    [
      'a buffered subtest that fails beside cases that pass',
      ['1..1', 'not ok 1 - parent {', '    ok 1 - one', '    1..2', '}'],
      ['passed parent > one', 'failed parent'],
    ],
    [
      'a subtest that fails beside cases that pass',
      ['# Subtest: parent', '    ok 1 - one', '    1..2', 'not ok 1 - parent', '1..1'],
      ['passed parent > one', 'failed parent'],
    ],
    [
      'a subtest that fails with its case',
      ['# Subtest: parent', '    not ok 1 - one', '    1..1', 'not ok 1 - parent', '1..1'],
      ['failed parent > one'],
    ],
    [
      'results inside YAML',
      [
        '1..2',
        'not ok 1 - a',
        '  ---',
        '  output: |',
        '    not ok 7 - no case',
        '    ok 8 - none',
        '  ...',
        'ok 2 - b',
      ],
      ['failed a', 'passed b'],
    ],
    [
      'a line of the program that looks like the start of YAML',
      ['1..2', '---', 'ok 1 - a', '  ---', 'not ok 2 - b'],
      ['passed a', 'failed b'],
    ],
    [
      'titles above the cases of tape',
      [
        'TAP version 13',
        '# adds',
        'ok 1 should be equal',
        '# takes away',
        'not ok 2 should be equal',
        '1..2',
        '# tests 2',
        'TAP version 13',
        'ok 1 - of another runner',
        'ok 2 alone',
      ],
      [
        'passed adds > should be equal',
        'failed takes away > should be equal',
        'passed of another runner',
        'passed alone',
      ],
    ],
    [
      'YAML that does not end',
      ['1..2', 'not ok 1 - a', '  ---', '  message: x', 'ok 2 - b'],
      ['failed a', 'passed b'],
    ],
    [
      'directives in each spelling',
      [
        '1..8',
        'ok 1 - a #SKIP',
        'ok 2 - b # skip why',
        'not ok 3 - c # TODO',
        'ok 4 #skip',
        'ok 5 - d \\# SKIP is a word',
        'not ok 6 - link#skip-nav works',
        'not ok 7 - link #skip-nav works',
        'ok 8 - e # SKIP: later',
      ],
      [
        'skipped a',
        'skipped b',
        'skipped c',
        'skipped ',
        'passed d \\# SKIP is a word',
        'failed link#skip-nav works',
        'failed link #skip-nav works',
        'skipped e',
      ],
    ],
    [
      'nothing behind the end of a run that gives up',
      ['1..3', 'ok 1 - a', 'Bail out! no database', 'ok 2 - b', 'ok 3 - c'],
      ['passed a', 'failed Bail out! no database'],
    ],
  ] as const;
  it.each(forms)('%s', (_name, lines, expected) => {
    const cases = listed(parseTap(lines.join('\n')));
    expect(cases.map(c => `${c.status} ${c.id}`)).toEqual(expected);
  });

  it('text without TAP has no cases', () => {
    expect(parseTap('all fine\n')).toBeUndefined();
  });
});

describe('reports that real tools write', () => {
  it('node:test as TAP', async () => {
    const { stdout, file } = await report('tap');
    const cases = listed(parseTap(stdout));
    expect(cases.map(c => [c.status, c.id])).toEqual(expected);
    expect(cases?.[1]).toMatchObject({ file, message: expect.stringContaining(`${file}:5:`) });
    expect(cases?.[3]).not.toHaveProperty('message');
  });
});
