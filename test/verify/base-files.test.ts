import { describe, expect, it } from 'vitest';
import { changesSetUp } from '../../src/ecosystems/commands/set-up.ts';
import { changeOf } from './changes.ts';

describe('a set-up', () => {
  const nothing = {
    files: { started: new Set<string>(), isNamed: () => false },
    installsRunScripts: false,
  };
  it('reads no source', () =>
    expect(changesSetUp(changeOf('src/price.js', 'a', 'b'), nothing)).toBe(false));
});
