/** States that an agent turns on and off. */
import { expect, it } from 'vitest';
import { isOwnState, States } from '../../src/memory/states.ts';

it('a state of the engine is off until the phase changes; one of the agent is gone', () => {
  const states = new States();
  states.add('careful');
  states.delete('careful');
  states.delete('reading');
  expect([states.added(), states.deleted()]).toEqual([[], ['reading']]);
  states.add('reading');
  expect([states.added(), states.deleted()]).toEqual([['reading'], []]);
  states.delete('paging');
  states.enterPhase();
  expect([states.added(), states.deleted()]).toEqual([['reading'], []]);
});

it('a state is the own of the agent when neither engine nor default has it', () => {
  expect(isOwnState('careful')).toBe(true);
  for (const state of ['default', 'paging', 'planning', 'evaluating'])
    expect(isOwnState(state)).toBe(false);
});
