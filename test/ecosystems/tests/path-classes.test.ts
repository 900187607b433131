import { describe, expect, it } from 'vitest';
import { isTestPath, touchesTests } from '../../../src/ecosystems/tests/path-classes.ts';
import type { FileChange } from '../../../src/workspace/files/change.ts';

describe('files that decide whether tests pass', () => {
  it.each([
    'test/a.js',
    'src/a.test.ts',
    'a_test.go',
    'io/copy_test.ts',
    'test_a.py',
    'tests/conftest.py',
    'spec/x_spec.rb',
    'src/__snapshots__/a.snap',
    'src/FooTest.java',
    'vitest.config.ts',
    'jest.config.js',
    'Makefile',
    'pytest.ini',
    'node.config.json',
    'src/a.ambr',
  ])('%s is', path => expect(isTestPath(path)).toBe(true));
  it.each([
    'src/a.js',
    'src/latest.js',
    'contest.py',
    'src/protest/a.go',
    'README.md',
    'src/testing.ts',
  ])('%s is not', path => expect(isTestPath(path)).toBe(false));

  it('a manifest counts if its runner configuration changes', () => {
    const change = (before: object, after: object): FileChange => ({
      path: 'package.json',
      before: { mode: '100644', bytes: Buffer.from(JSON.stringify(before)) },
      after: { mode: '100644', bytes: Buffer.from(JSON.stringify(after)) },
    });
    expect(touchesTests(change({ scripts: { test: 'a' } }, { scripts: { test: 'b' } }))).toBe(true);
    expect(touchesTests(change({ version: '1' }, { version: '2' }))).toBe(false);
  });
});
