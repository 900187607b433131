/** clarify ends the run with one question, and claims what its reason rests on. */
import { describe, expect, it } from 'vitest';
import { constraintDigest } from '../../src/skills/skill.ts';
import { clarify } from '../../src/tools/clarify.ts';
import { callTool } from './play.ts';

describe('clarify', () => {
  it.each([
    ['destructive_paths', 'CLARIFY_DESTRUCTIVE'],
    ['unresolved_symbol', 'CLARIFY_UNRESOLVED'],
    ['conflicting_constraints', 'CLARIFY_CONFLICT'],
  ])('for %s ends with %s', async (reason, code) => {
    const { end } = await callTool(clarify, { reason, question: 'Which, s3cret?', choices: ['a'] });
    expect(end).toEqual({
      status: 'needs_clarification',
      code,
      statement: 'Which, ***?',
      choices: ['a'],
    });
  });

  it('says to the person how to permit changed tests, if the question is about them', async () => {
    const { end } = await callTool(clarify, {
      reason: 'conflicting_constraints',
      question: 'May the test expect 90?',
      constraints: ['task', 'VERIFY_TESTS_CHANGED'],
    });
    expect(end?.statement).toBe(
      'May the test expect 90?\nTo permit it, answer yes or add to the task: The tests may change. The patch is then a draft that names each changed expectation.',
    );
  });

  it('claims for each choice the files that it destroys, and each file once', async () => {
    const { claims } = await callTool(clarify, {
      reason: 'destructive_paths',
      question: 'Which?',
      choices: ['old', 'new', 'both'],
      destroys: ['1: a.js', '2:  b.js ', '1: b.js'],
    });
    expect(claims).toEqual([
      {
        kind: 'clarify',
        reason: 'destructive_paths',
        destroys: [['a.js', 'b.js'], ['b.js'], []],
        constraints: [],
      },
      { kind: 'destroy', path: 'a.js' },
      { kind: 'destroy', path: 'b.js' },
    ]);
  });

  it('claims constraints by name, and a quote of a skill by its digest', async () => {
    const { claims } = await callTool(clarify, {
      reason: 'conflicting_constraints',
      question: 'Which?',
      constraints: ['READ_LIMIT', 'code-modify: Be brief.', 'No Skill: x'],
    });
    expect(claims).toMatchObject([
      {
        constraints: [
          { name: 'READ_LIMIT' },
          { skill: 'code-modify', quote: constraintDigest('Be brief.') },
          { name: 'No Skill: x' },
        ],
      },
    ]);
  });

  it('refuses a file without the number of its choice', async () => {
    const args = { reason: 'destructive_paths', question: 'Which?', destroys: ['a.js'] };
    expect(await callTool(clarify, args)).toEqual({
      problems: ['/destroys/0: expected "N: file"'],
    });
  });
});
