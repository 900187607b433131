import { describe, expect, it } from 'vitest';
import { photon, useClone } from '../clone.ts';

useClone();

describe('photon validate, codes and help', () => {
  it('codes explains a code', async () => {
    expect((await photon(['codes', 'stale_read'])).out).toMatch(
      /^STALE_READ\n {2}.*\n {2}What to do: /,
    );
  });
});
