/** What an entry of a foreign ledger may state goes by its tool, and a tool may have any name. */
import { expect, it } from 'vitest';
import { findForeign } from '../../src/audit/check-record.ts';
import type { Entry } from '../../src/ledger/ledger-entry.ts';

it.each(['constructor', 'toString', 'grep'])('an entry of the tool %s states nothing', tool => {
  const entry = { tool, caller: 'model', states: { verification: { passed: true } } };
  expect(findForeign(entry as unknown as Entry, [])).toBe(`verification: ${tool} may not state it`);
});
