/** The human fixes of the benchmark on real projects: its data, and how failing tests are named. Nothing is installed. */
import { describe, expect, it } from 'vitest';
import { findFailingNames } from '../../bench/real/hide.ts';
import { readHumanFixes } from '../../bench/real/projects.ts';

describe('the human fixes of public repositories', () => {
  const fixes = readHumanFixes();
  const open = fixes.filter(f => f.half === 'open');
  const held = fixes.filter(f => f.half === 'held-out');

  it('are at least 40 open ones, and at least 30 held out of at least 18 repositories', () => {
    expect(open.length).toBeGreaterThanOrEqual(40);
    expect(held.length).toBeGreaterThanOrEqual(30);
    expect(new Set(held.map(f => f.repo)).size).toBeGreaterThanOrEqual(18);
  });

  it.each([
    ['open', open],
    ['held-out', held],
  ])('are of npm and Python packages, at most three a repository: %s', (_, half) => {
    expect(half.filter(f => f.file.endsWith('.py')).length).toBeGreaterThanOrEqual(10);
    expect(half.filter(f => f.file.endsWith('.js')).length).toBeGreaterThanOrEqual(10);
    for (const { repo } of half)
      expect(half.filter(f => f.repo === repo).length, repo).toBeLessThanOrEqual(3);
  });

  it('are held out only from projects that have no open fix', () => {
    const seen = new Set(open.map(f => f.repo));
    expect(held.filter(f => seen.has(f.repo))).toEqual([]);
  });

  it('have ids of their own, and name a file and a test command', () => {
    expect(new Set(fixes.map(f => f.id)).size).toBe(fixes.length);
    for (const { id, file, test } of fixes) expect(`${file} ${test}`, id).toMatch(/\.(js|py) \w/);
  });
});

describe('the names of failing tests', () => {
  it.each([
    ['tape', '# adds\nok 1 one\nnot ok 2 should be equal\n# tests 2\n', ['adds']],
    ['node:test', '# Subtest: adds\nnot ok 1 - adds\n# tests 1\n', ['adds']],
    [
      'mocha',
      'ok 1 math adds\nnot ok 2 math takes\n# tests 2\n# pass 1\n# fail 1\n1..2\n',
      ['math takes'],
    ],
    ['pytest', 'FAILED toolz/tests/test_a.py::test_adds - assert 1 == 2', ['test_adds']],
  ])('are read from the output of %s', (_, output, names) => {
    expect(findFailingNames(output)).toEqual(names);
  });
});
