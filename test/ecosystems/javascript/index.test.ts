import { describe, expect, it } from 'vitest';
import { javascript } from '../../../src/ecosystems/javascript/index.ts';

describe('the keys of a manifest that configure tests', () => {
  const pick = javascript.influence?.sections?.['package.json'] ?? String;

  it('are the same whatever else changes', () => {
    const before = '{ "version": "1.0.0", "scripts": { "test": "jest" } }';
    expect(pick(before.replace('1.0.0', '2.0.0'))).toBe(pick(before));
    expect(pick(before.replace('jest', 'true'))).not.toBe(pick(before));
  });

  it.each(['null', '[]'])('are none in %s', text => {
    expect(pick(text)).toBe(pick('{}'));
  });

  it('are the whole text where it cannot be read', () => {
    expect(pick('{ "scripts": ')).toContain('unreadable');
  });
});
