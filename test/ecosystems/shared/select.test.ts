/** The files that a test imports. */
import { expect, it } from 'vitest';
import { importedBy } from '../../../src/ecosystems/shared/select.ts';

const paths = ['index.js', 'lib/index.js', 'lib/a.js', 'src/b.ts'];

it.each([
  ["const uri = require('..');", ['index.js']],
  ["const uri = require('../../');", ['index.js']],
  ["import uri from '../lib/';", ['lib/index.js']],
  ["import { a } from '../lib/a';\nimport { b } from '../src/b.js';", ['lib/a.js', 'src/b.ts']],
])('%s', (text, found) => {
  expect(importedBy('test/uri.test.js', text, paths)).toEqual(found);
});
