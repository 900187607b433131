import { expect, it } from 'vitest';
import { openOwnPaths } from '../../../src/repair/runners/runner-context.ts';

const ownPath = openOwnPaths(['src/a.js', 'a.js']);

it.each([
  ['/tmp/view/src/a.js', 'src/a.js'],
  ['/tmp/view/a.js', 'a.js'],
  ['src/a.js', 'src/a.js'],
  ['/tmp/view/build/b.js', ''],
  ['b.js', ''],
])('%s is %j', (path, own) => expect(ownPath(path)).toBe(own));
