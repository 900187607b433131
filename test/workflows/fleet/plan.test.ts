import { describe, expect, it } from 'vitest';
import { findPackages, maxRows, planRows } from '../../../src/workflows/fleet/plan.ts';

const task = (name: string) => ({
  name,
  prompt: 'Do it.',
  labels: ['l'],
  paths: ['p/**'],
  skills: [],
});

describe('the rows of a plan', () => {
  it('are tasks × repositories × packages, each with an id', () => {
    const rows = planRows(
      [task('lint'), task('task')],
      [
        { repository: 'o/one', packages: ['web', 'api'] },
        { repository: 'o/two', packages: [] },
      ],
    );
    expect(rows.map(r => [r.id, r.repository, r.package, r.maintenance])).toEqual([
      ['lint-one-web', 'o/one', 'web', 'lint'],
      ['lint-one-api', 'o/one', 'api', 'lint'],
      ['lint-two', 'o/two', '', 'lint'],
      ['task-one-web', 'o/one', 'web', ''],
      ['task-one-api', 'o/one', 'api', ''],
      ['task-two', 'o/two', '', ''],
    ]);
    expect(rows[0]).toMatchObject({ task: 'Do it.', labels: ['l'], paths: ['p/**'] });
  });

  it('have ids of their own, also for folders that read alike', () => {
    const packages = ['a.b', 'a/b', 'a-b'];
    const rows = planRows([task('lint')], [{ repository: 'o/one', packages }]);
    expect(rows.map(r => r.id)).toEqual(['lint-a-b', 'lint-a-b-2', 'lint-a-b-3']);
  });

  it('are refused with a code beyond the limit of a matrix', () => {
    const packages = Array.from({ length: maxRows + 1 }, (_, i) => `p${i}`);
    const plan = (count: number) =>
      planRows([task('lint')], [{ repository: 'o/one', packages: packages.slice(0, count) }]);
    expect(plan(maxRows)).toHaveLength(maxRows);
    expect(() => plan(maxRows + 1)).toThrow(expect.objectContaining({ code: 'FLEET_TOO_LARGE' }));
  });
});

describe('the packages of a repository', () => {
  it('are the outermost folders that match and hold a file', () => {
    const paths = [
      'packages/a/x.js',
      'packages/a/deep/y.js',
      'packages/b/z.js',
      'top.js',
      'docs/d.md',
    ];
    expect(findPackages(['packages/*'], paths)).toEqual(['packages/a', 'packages/b']);
    expect(findPackages(['packages/a', 'packages/a/deep'], paths)).toEqual(['packages/a']);
    expect(findPackages(['none/*'], paths)).toEqual([]);
  });
});
