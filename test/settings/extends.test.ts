import { expect, it } from 'vitest';
import { type Config, type InputRecord, parseSettings } from '../../src/settings/settings.ts';

const read = (central: Config, repository: Config = {}, given: InputRecord = {}) =>
  parseSettings({ model: 'builtin', ...given }, repository, {
    central: { name: 'octo/.github@1', config: central },
  });

it('what the central configuration sets holds where the repository says nothing, or the same', () => {
  expect(read({ sandbox: { mode: 'required' } }).sandbox).toBe('required');
  const same: Config = { delivery: { draft: true } };
  expect(read(same, same).draft).toBe(true);
  expect(read({}, same).draft).toBe(true);
});

it('a list that sources add to is both', () => {
  expect(read({ neverSend: ['a/**'] }, { neverSend: ['b/**'] }).neverSend).toEqual([
    'a/**',
    'b/**',
  ]);
});

const tighter = [
  ['a smaller cost', { limits: { cost: 2 } }, { limits: { cost: 1 } }],
  ['strict reads', { limits: { reads: 'bounded' } }, { limits: { reads: 'strict' } }],
  ['a required sandbox', { sandbox: { mode: 'auto' } }, { sandbox: { mode: 'required' } }],
  ['no network', { sandbox: { network: 'setup' } }, { sandbox: { network: 'none' } }],
] as const satisfies readonly (readonly [string, Config, Config])[];

it.each(tighter)('%s is allowed, and the opposite is refused', (_name, loose, tight) => {
  const key = Object.keys(loose)[0] as 'limits' | 'sandbox';
  expect(() => read(loose, tight)).not.toThrow();
  expect(() => read(tight, loose)).toThrow(
    expect.objectContaining({
      code: 'CONFIG_WEAKENS',
      message: expect.stringContaining(`${key}.`),
    }),
  );
});

it('an input of the workflow cannot loosen it either', () => {
  expect(() => read({ limits: { cost: 2 } }, {}, { 'max-cost': '3' })).toThrow(
    'limits.cost is 3 here and 2 in octo/.github@1',
  );
  expect(read({ limits: { cost: 2 } }, {}, { 'max-cost': '1' }).maxCost).toBe(1);
});
