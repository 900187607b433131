/** The rows of PHASE_ORDER. */
import { phaseOrder } from '../../../src/guard/rules/phase-order.ts';
import { file, missing, playRows, read, write } from './cases.ts';

playRows(phaseOrder, 'abstain PHASE_ORDER §2', [
  [
    'no way',
    [],
    'verify cannot run in phase READ',
    {
      call: { tool: 'verify', nextPhase: undefined },
      evidence: { permittedTools: new Set(['verify']) },
    },
  ],
  [
    'no way after navigation, without a write',
    [read('a.js', 1)],
    'verify cannot run in phase NAVIGATE',
    {
      call: { tool: 'verify', nextPhase: undefined },
      evidence: { phase: 'NAVIGATE', permittedTools: new Set(['verify']) },
    },
  ],
  [
    'a write in a phase without patches',
    [write('a.js')],
    'apply_patch cannot run in phase PLAN',
    { call: { tool: 'apply_patch', nextPhase: undefined }, evidence: { phase: 'PLAN' } },
  ],
  [
    'an unread file after navigation',
    [write('a.js'), write('b.js'), write('new.js')],
    'apply_patch cannot run in phase NAVIGATE, since this run has not read a.js',
    {
      call: { tool: 'apply_patch', nextPhase: undefined },
      evidence: { phase: 'NAVIGATE', known: new Map([['b.js', new Set()]]) },
      facts: { 'a.js': file, 'b.js': file, 'new.js': missing },
    },
  ],
]);
