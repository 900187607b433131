/** The benchmark on real projects: its data, and how failing tests are named. No package is installed here. */
import { describe, expect, it } from 'vitest';
import { readHumanFixes, readPackages, readRegressions } from '../../bench/real/data.ts';
import { failingNames } from '../../bench/real/hide.ts';
import { plant } from '../../bench/real/project.ts';

const regressions = readRegressions();

describe('the regressions of published packages', () => {
  it('are at least 60 in at least 12 packages, half of them held out', () => {
    expect(regressions.length).toBeGreaterThanOrEqual(60);
    expect(new Set(regressions.map(r => r.package)).size).toBeGreaterThanOrEqual(12);
    const held = regressions.filter(r => r.half === 'held-out').length;
    expect(Math.abs(2 * held - regressions.length)).toBeLessThanOrEqual(1);
  });

  it('have ids of their own, name a package of the list, and hold one short line of it', () => {
    expect(new Set(regressions.map(r => r.id)).size).toBe(regressions.length);
    const packages = readPackages();
    for (const { id, package: name, right, wrong } of regressions) {
      expect(packages.has(name), id).toBe(true);
      expect(right.includes('\n') || right.length > 100, id).toBe(false);
      expect(right, id).not.toBe(wrong);
    }
  });

  it('are planted only where the line holds the text', () => {
    const [bug] = regressions;
    if (bug === undefined) throw new Error('no regression');
    const at = { ...bug, line: 2, right: 'a + 1', wrong: '$&' };
    expect(plant('x\nreturn a + 1\n', at)).toBe('x\nreturn $&\n');
    expect(() => plant('return a + 1\nx\n', at)).toThrow(/does not hold/);
  });
});

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

  it('are held out only from projects that have no open fix and no regression', () => {
    const seen = new Set([...open.map(f => f.repo.split('/')[1]), ...readPackages().keys()]);
    expect(held.map(f => f.repo.split('/')[1]).filter(name => seen.has(name))).toEqual([]);
  });

  it('have ids of their own, and name a commit, a file and a test command', () => {
    expect(new Set(fixes.map(f => f.id)).size).toBe(fixes.length);
    for (const { id, commit, file, test } of fixes) {
      expect(commit, id).toMatch(/^[0-9a-f]{40}$/);
      expect(`${file} ${test}`, id).toMatch(/\.(js|py) \w/);
    }
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
    expect(failingNames(output)).toEqual(names);
  });
});
