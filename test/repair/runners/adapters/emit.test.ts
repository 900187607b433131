import { describe, expect, it } from 'vitest';
import { emitsOf } from '../../../../src/repair/runners/adapters/emit.ts';

describe('a build that only compiles', () => {
  it.each([
    [['tsc'], ['tsconfig.json']],
    [
      ['rimraf dist', 'tsc -p tsconfig.build.json', 'tsc --project ./cjs'],
      ['tsconfig.build.json', './cjs/tsconfig.json'],
    ],
    [['tsc -b'], null],
    [['tsc --outDir out'], null],
    [['tsc', 'rollup -c'], null],
    [['rimraf dist'], null],
  ])('%j', (builds, configs) => {
    expect(emitsOf(builds, null)).toEqual(configs);
  });
});
