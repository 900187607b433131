/** state_add turns a state on until the agent turns it off. */
import { describe, expect, it } from 'vitest';
import { States } from '../../src/memory/states.ts';
import { stateAdd } from '../../src/tools/state-add.ts';
import { callTool } from './play.ts';

describe('state_add', () => {
  it('names the states that are on, and those of the engine that are off', async () => {
    const states = new States();
    states.delete('paging');
    expect(await callTool(stateAdd, { state: 'careful' }, { states })).toMatchObject({
      text: 'States that you turned on: careful. Off until the phase changes: paging.',
      facts: { change: 'on', state: 'careful' },
    });
    expect((await callTool(stateAdd, { state: 'paging' }, { states })).text).toBe(
      'States that you turned on: careful, paging.',
    );
  });

  it('refuses the seventeenth, and default', async () => {
    const states = new States();
    for (let i = 0; i < 16; i++) states.add(`s${i}`);
    expect(await callTool(stateAdd, { state: 'more' }, { states })).toEqual({
      problems: ['/state: at most 16 states may be on'],
    });
    expect((await callTool(stateAdd, { state: 's0' }, { states })).problems).toBeUndefined();
    expect(await callTool(stateAdd, { state: 'default' }, { states })).toEqual({
      problems: ['/state: default is no state; its prompts are always sent'],
    });
  });
});
