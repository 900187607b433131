import { expect, it } from 'vitest';
import { withLowest } from '../../../src/ecosystems/shared/package-list.ts';

it.each([
  ['^1.2.3', '1.2.3'],
  ['1.x || >=2.5 <3', '1'],
  ['<2 >=1.4', '1.4'],
  ['~> 2.2, >= 2.2.1', '2.2'],
  ['==4.2.1', '4.2.1'],
  ['!=1.3,>=1.0.0-rc.1', '1.0.0-rc.1'],
  ['v2.0.1', '2.0.1'],
  ['1.2.3 - 2.0.0', '1.2.3'],
])('the lowest version that %s allows is %s', (requirement, version) => {
  expect(withLowest('a', requirement)).toEqual([['a', version]]);
});

it.each(['*', 'latest', '<2', 'workspace:*', 'git+https://x/y.git#v1.0', 'file:../x', '', 4, null])(
  '%j has no lowest version',
  requirement => {
    expect(withLowest('a', requirement)).toEqual([]);
  },
);
