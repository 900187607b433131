import { expect, it } from 'vitest';
import { relativePath } from '../../src/settings/paths.ts';

it.each(['src', 'src/**/*.ts', './a', 'a/..b/c', '.github/x.yml'])('%s stays inside', path => {
  expect(relativePath().safeParse(path).success).toBe(true);
});

it.each(['', '/etc/passwd', '..', 'a/../../b', '../x', 'a/..'])('%j is refused', path => {
  expect(relativePath().safeParse(path).success).toBe(false);
});
