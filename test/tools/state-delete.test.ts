/** state_delete turns a state off; one of the engine until the phase changes. */
import { expect, it } from 'vitest';
import { States } from '../../src/memory/states.ts';
import { stateDelete } from '../../src/tools/state-delete.ts';
import { callTool } from './play.ts';

it('state_delete turns off what the agent turned on, and a state of the engine for a phase', async () => {
  const states = new States();
  states.add('careful');
  expect(await callTool(stateDelete, { state: 'careful' }, { states })).toMatchObject({
    text: 'States that you turned on: none.',
    facts: { change: 'off', state: 'careful' },
  });
  expect((await callTool(stateDelete, { state: 'reading' }, { states })).text).toBe(
    'States that you turned on: none. Off until the phase changes: reading.',
  );
  expect(await callTool(stateDelete, { state: 'default' }, { states })).toEqual({
    problems: ['/state: default is no state; its prompts are always sent'],
  });
});
