import { describe, expect, it } from 'vitest';
import { isPublic } from '../../../src/process/egress/rules.ts';

describe('names', () => {
  it('addresses of the internet are public', () => {
    const all = ['93.184.215.14', '140.82.121.4', '168.63.129.17', '2606:4700::6810:23'];
    expect(all.map(isPublic)).toEqual([true, true, true, true]);
    expect(['', 'example.org', '999.1.1.1', '1'].map(isPublic)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});
