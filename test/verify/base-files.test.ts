import { describe, expect, it } from 'vitest';
import { changesSetUp } from '../../src/ecosystems/commands/set-up.ts';
import { changeOf, plainSetUp } from './changes.ts';

describe('a set-up', () => {
  it('reads no source', () =>
    expect(changesSetUp(changeOf('src/price.js', 'a', 'b'), plainSetUp)).toBe(false));
});
