import { describe, expect, it } from 'vitest';
import templates from '../../../prompts/templates.json' with { type: 'json' };
import { renderTask, statesOn } from '../../../src/agent/context/prompt.ts';
import { States } from '../../../src/memory/states.ts';

it('a task names the command that verifies a patch, if there is one', () => {
  const task = { prompt: 'Do it.', context: [], askedBy: 'm' } as unknown as Parameters<
    typeof renderTask
  >[0];
  const about = {
    mark: 'data',
    map: '',
    advice: '',
    templates,
    maxBackground: 0,
    reviewSchema: '',
  };
  const render = (testCommand?: string) => renderTask(task, { ...about, testCommand } as never);
  expect(render('npm test').split('\n')).toContain('Test command: npm test');
  expect(render()).not.toContain('Test command');
});

describe('the state that a phase turns on', () => {
  it.each([
    ['INPUT', 'planning'],
    ['PLAN', 'planning'],
    ['NAVIGATE', 'navigating'],
    ['READ', 'reading'],
    ['PATCH', 'executing'],
    ['VERIFY', 'evaluating'],
    ['COMMIT', null],
    ['ROLLBACK', null],
  ] as const)('%s: %s', (phase, state) => {
    const states = new States();
    expect([...statesOn(phase, states, true)].at(-1)).toBe('paging');
    states.add('own');
    expect([...statesOn(phase, states, false)]).toEqual([...(state ? [state] : []), 'own']);
  });

  it('is off when the agent deletes it, until the phase changes', () => {
    const states = new States();
    states.delete('reading');
    states.delete('paging');
    expect([...statesOn('READ', states, true)]).toEqual([]);
    states.enterPhase();
    expect([...statesOn('READ', states, true)]).toEqual(['reading', 'paging']);
  });

  it('is on in every phase when the agent adds it, until the agent deletes it', () => {
    const states = new States();
    states.delete('executing');
    states.add('executing');
    states.enterPhase();
    expect([...statesOn('READ', states, false)]).toEqual(['reading', 'executing']);
    states.delete('executing');
    expect([...statesOn('READ', states, false)]).toEqual(['reading']);
  });
});
