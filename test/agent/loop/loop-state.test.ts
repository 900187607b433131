import { expect, it } from 'vitest';
import { enterPhase, startLoop } from '../../../src/agent/loop/loop-state.ts';
import type { Phase } from '../../../src/base/outcome.ts';
import type { Evidence } from '../../../src/guard/evidence.ts';

const evidence = { phase: 'OBSERVE' } as unknown as Evidence;

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
