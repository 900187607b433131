/** The rows of PLAN_MISSING. */
import type { Claim } from '../../../src/guard/claim.ts';
import { planMissing } from '../../../src/guard/rules/plan-missing.ts';
import { asks, playRows, type Row, read, strict, write } from './cases.ts';

/** What no run does without a plan. */
const acts: readonly Claim[][] = [
  [read('a.js', 1)],
  [write('a.js')],
  [{ kind: 'undo' }],
  [{ kind: 'run', commands: [['x']] }],
  [{ kind: 'redirect', path: 'x' }],
  [{ kind: 'commit' }],
];

playRows(planMissing, 'abstain PLAN_MISSING §4', [
  ...([[{ kind: 'navigate', path: '' }], ...acts] as Claim[][]).map(
    (claims): Row => [
      String(claims[0]?.kind),
      claims,
      'read_code_block needs a plan first',
      { policy: strict, evidence: { plan: undefined } },
    ],
  ),
  ...acts.map(
    (claims): Row => [
      `${claims[0]?.kind}, whatever the mode`,
      claims,
      'read_code_block needs a plan first',
      { evidence: { plan: undefined, patchDigest: 'p' } },
    ],
  ),
  [
    'a verification',
    [{ kind: 'run', commands: [] }],
    'verify needs a plan first',
    {
      call: { tool: 'verify' },
      evidence: { plan: undefined, permittedTools: new Set(['verify']) },
    },
  ],
  [
    'nothing but an answer after a look',
    [{ kind: 'commit' }],
    'pass',
    { evidence: { plan: undefined, phase: 'PLAN', patchDigest: '' } },
  ],
  [
    'an answer at once',
    [{ kind: 'commit', answers: true }],
    'pass',
    { evidence: { plan: undefined, phase: 'INPUT', patchDigest: '' } },
  ],
  [
    'an answer beside a patch',
    [{ kind: 'commit', answers: true }],
    'read_code_block needs a plan first',
    { evidence: { plan: undefined, phase: 'PATCH', patchDigest: 'p' } },
  ],
  [
    'an answer by the letter',
    [{ kind: 'commit', answers: true }],
    'read_code_block needs a plan first',
    { policy: strict, evidence: { plan: undefined, phase: 'INPUT', patchDigest: '' } },
  ],
  [
    'an end before any look',
    [{ kind: 'commit' }],
    'read_code_block needs a plan first',
    { evidence: { plan: undefined, phase: 'INPUT', patchDigest: '' } },
  ],
  [
    'a look is a part of planning',
    [{ kind: 'navigate', path: '' }],
    'pass',
    { evidence: { plan: undefined } },
  ],
  [
    'a skill needs none',
    [{ kind: 'skill', name: 'code-modify' }],
    'pass',
    { evidence: { plan: undefined } },
  ],
  [
    'a question needs none',
    [asks('unresolved_symbol', { symbol: 'f' })],
    'pass',
    { evidence: { plan: undefined, unresolved: new Set(['f']) } },
  ],
  [
    'one of several claims is enough',
    [{ kind: 'skill', name: 'code-modify' }, { kind: 'undo' }],
    'read_code_block needs a plan first',
    { evidence: { plan: undefined } },
  ],
]);
