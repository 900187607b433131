import { expect, it } from 'vitest';
import { readVersion } from '../../../src/workspace/trusted/version.ts';
import { root } from '../../root.ts';

it('reads the version of the package', () => {
  expect(readVersion(root)).toMatch(/^\d+\.\d+\.\d+$/);
});
