import { expect, it } from 'vitest';
import { besidePath } from '../../../src/ecosystems/shared/canary.ts';

it.each([
  ['test/a.test.js', 'test/x_a.test.js'],
  ['a_test.py', 'x_a_test.py'],
  ['tests/test_a.py', 'tests/test_x_a.py'],
  ['test_data/a.js', 'test_data/x_a.js'],
])('%s lies beside its copy %s', (path, copy) => expect(besidePath(path, 'x')).toBe(copy));
