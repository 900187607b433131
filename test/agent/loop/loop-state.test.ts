import { expect, it } from 'vitest';
import { countDecision, enterPhase, startLoop } from '../../../src/agent/loop/loop-state.ts';
import type { Phase } from '../../../src/base/outcome.ts';
import type { Refusal } from '../../../src/guard/decide.ts';
import type { Evidence } from '../../../src/guard/evidence.ts';

const evidence = { phase: 'OBSERVE' } as unknown as Evidence;
const refusal = { code: 'STALE_READ', state: 'refuse', section: '6' } as unknown as Refusal;

it('decisions are counted by code and tool, and odd names of tools are not kept', () => {
  const loop = startLoop(evidence);
  countDecision(loop, refusal, 'patch');
  countDecision(loop, refusal, 'patch');
  countDecision(loop, refusal, '');
  countDecision(loop, refusal, 'Bad Name\n');
  expect([...loop.decisions.values()].map(d => [d.tool, d.count])).toEqual([
    ['patch', 2],
    ['none', 1],
    ['unknown', 1],
  ]);
});

it('a phase is told when it is new', () => {
  const told: Phase[] = [];
  const loop = startLoop(evidence, phase => told.push(phase));
  const [first, second] = ['OBSERVE', 'PLAN'] as unknown as [Phase, Phase];
  enterPhase(loop, first);
  enterPhase(loop, second);
  enterPhase(loop, second);
  expect(told).toEqual([second]);
  expect(loop.evidence.phase).toBe(second);
});
