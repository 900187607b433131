/** ram_delete takes a value out of the memory of the run. */
import { expect, it } from 'vitest';
import { Ram } from '../../src/memory/ram.ts';
import { ramDelete } from '../../src/tools/ram-delete.ts';
import { callTool } from './play.ts';

it('ram_delete deletes a key once, and says when there is none', async () => {
  const ram = new Ram({ entries: 2, bytes: 20 });
  ram.add('k', 'one');
  expect(await callTool(ramDelete, { key: 'k' }, { ram })).toMatchObject({
    text: 'Memory: deleted k.',
    facts: { change: 'deleted', key: 'k', entries: 0, bytes: 0 },
  });
  expect(await callTool(ramDelete, { key: 'k' }, { ram })).toMatchObject({
    text: 'Memory: there is no k.',
    facts: { change: 'none', key: 'k', entries: 0, bytes: 0 },
  });
});
