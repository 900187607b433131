import { expect, it } from 'vitest';
import { playAttacks } from './play.ts';
import { attacks, benign } from './table.ts';

playAttacks(0);

it('each row of the table has a name of its own', () => {
  const ids = [...attacks, ...benign].map(a => a.id);
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
});
