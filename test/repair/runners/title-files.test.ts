import { describe, expect, it } from 'vitest';
import { openTitleFiles } from '../../../src/repair/runners/title-files.ts';

describe('the file that the name of a case begins with', () => {
  const fileOf = openTitleFiles([
    'test/price.test.js',
    'test/unit/price.spec.ts',
    'test/unit/__tests__/test-words.js',
    'other/unit/tax.js',
    'test/unit/tax.js',
  ]);

  it.each([
    ['unit › price › adds', 'test/unit/price.spec.ts'],
    ['test › price › adds › all', 'test/price.test.js'],
    ['words › adds', 'test/unit/__tests__/test-words.js'],
    ['price › adds', undefined],
    ['unit › tax › adds', undefined],
    ['test › unit › tax › adds', 'test/unit/tax.js'],
    ['words', undefined],
    ['adds › words', undefined],
  ])('%s: %s', (name, file) => expect(fileOf(name)).toBe(file));
});
