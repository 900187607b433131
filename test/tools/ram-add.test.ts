/** ram_add keeps a value under a key within the limits of the run. */
import { describe, expect, it } from 'vitest';
import { Ram } from '../../src/memory/ram.ts';
import { ramAdd } from '../../src/tools/ram-add.ts';
import { callTool } from './play.ts';

describe('ram_add', () => {
  it('adds a key, then replaces its value; the ledger learns the key and the size alone', async () => {
    const ram = new Ram({ entries: 2, bytes: 20 });
    expect(await callTool(ramAdd, { key: 'k', value: 'one' }, { ram })).toMatchObject({
      text: 'Memory: added k.',
      facts: { change: 'added', key: 'k', entries: 1, bytes: 4 },
    });
    expect(await callTool(ramAdd, { key: 'k', value: 'é' }, { ram })).toMatchObject({
      text: 'Memory: updated k.',
      facts: { change: 'updated', key: 'k', entries: 1, bytes: 3 },
    });
    expect(ram.entries()).toEqual([['k', 'é']]);
  });

  it('stores nothing beyond a limit', async () => {
    const ram = new Ram({ entries: 1, bytes: 9 });
    await callTool(ramAdd, { key: 'k', value: 'one' }, { ram });
    expect(await callTool(ramAdd, { key: 'l', value: '' }, { ram })).toEqual({
      problems: ['RAM_LIMIT: 2 entries; at most 1 are allowed'],
    });
    expect(await callTool(ramAdd, { key: 'k', value: '123456789' }, { ram })).toEqual({
      problems: ['RAM_LIMIT: 10 bytes; at most 9 are allowed'],
    });
    expect(ram.entries()).toEqual([['k', 'one']]);
  });

  it.each(['', '-a', 'a b', 'a/b', 'k'.repeat(65)])('refuses the key %j', async key => {
    const ram = new Ram({ entries: 9, bytes: 999 });
    expect(await callTool(ramAdd, { key, value: 'x' }, { ram })).toEqual({
      problems: ['/key: letters, digits, _ . - (at most 64)'],
    });
  });
});
