/** The rows of THINK_MISSING. */
import { thinkMissing } from '../../../src/guard/rules/think-missing.ts';
import { asks, playRows, type Row, read, strict, write } from './cases.ts';

const silent = { evidence: { thought: '' } };
const refusal = 'the reply contains tool calls but no reasoning';

const acts: readonly Row[] = [
  ['a patch', [write('a.js')], refusal, { ...silent, call: { nextPhase: 'PATCH' } }],
  ['an undo', [{ kind: 'undo' }], refusal, silent],
  ['a command', [{ kind: 'run', commands: [['ls']] }], refusal, silent],
  ['a note', [{ kind: 'note' }], refusal, silent],
  ['a finish', [{ kind: 'commit' }], refusal, { ...silent, call: { nextPhase: 'COMMIT' } }],
  ['a question', [asks('unresolved_symbol', { symbol: 'f' })], refusal, silent],
  ['an end without a claim', [], refusal, { ...silent, call: { nextPhase: 'ROLLBACK' } }],
];

playRows(thinkMissing, 'abstain THINK_MISSING §4.1', [
  ...acts,
  ['spaces said', [{ kind: 'undo' }], refusal, { evidence: { thought: ' \n ' } }],
  ['a look without a word', [{ kind: 'navigate', path: 'a.js' }], 'pass', silent],
  ['a read without a word', [read('a.js', 1)], 'pass', silent],
  [
    'a plan without a word',
    [{ kind: 'plan', files: ['a.js'], maxChangedLines: 1 }],
    'pass',
    { ...silent, call: { nextPhase: 'PLAN' } },
  ],
  ['a skill without a word', [{ kind: 'skill', name: 'code-modify' }], 'pass', silent],
  ['what claims nothing and stays in its phase', [], 'pass', silent],
  [
    'a look in strict mode',
    [{ kind: 'navigate', path: 'a.js' }],
    refusal,
    { ...silent, policy: strict },
  ],
  [
    'one sentence in strict mode',
    [{ kind: 'navigate', path: 'a.js' }],
    'the reasoning is one sentence, and 2 to 5 are required',
    { evidence: { isBrief: true }, policy: strict },
  ],
  ['one sentence', [{ kind: 'undo' }], 'pass', { evidence: { isBrief: true } }],
  ['nothing said in strict mode', [], refusal, { ...silent, policy: strict }],
  [
    'an act with the words of the round before',
    [{ kind: 'undo' }],
    'the reasoning is that of the round before, word for word',
    { evidence: { repeats: true }, policy: strict },
  ],
  ['the same without the letter', [{ kind: 'undo' }], 'pass', { evidence: { repeats: true } }],
]);
