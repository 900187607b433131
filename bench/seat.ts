/**
 * Plays conversations as a capable model has them, mistakes included, through the built command line. Prints for each its
 * rounds beside those of a plain agent with read, edit and bash, what was refused by rule, and its input tokens.
 */
import type { ScriptedCall, ScriptedTurn } from '../test/doubles/model.ts';
import { sampleFiles } from '../test/doubles/sample.ts';
import { probe } from '../test/run/probe.ts';
import { row } from './figures.ts';
import { readRequest, tokensOf } from './tokens.ts';

interface Conversation {
  readonly name: string;
  readonly task: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly turns: readonly (readonly ScriptedCall[])[];
  /** Rounds of a plain agent: each look that depends on another one, the edit, the tests and the end. */
  readonly plain: number;
  /** The code that it ends with. */
  readonly ends: string;
}

const call = (name: string, args: object = {}): ScriptedCall => ({ name, arguments: args });
const activate = call('skill_activate', { skill_name: 'code-modify' });
const planOf = (...affected_files: string[]) =>
  call('plan', { entry_symbols: ['orderTotal'], affected_files, scope: 'as the task says' });
const grep = (pattern: string, more: object = {}) => call('grep', { pattern, ...more });
const read = (file_path: string, more: object = {}) =>
  call('read_code_block', { file_path, ...more });
const edit = (path: string, start_line: number, content: string) => ({
  path,
  edits: [{ start_line, content }],
});
const patch = (...files: object[]) => call('apply_patch', { files });
const run = (command: string) => call('run_command', { command });
const verify = call('verify');
const finish = call('finish', { reason: 'it is done' });
const answer = (text: string) => call('finish', { reason: 'it is answered', answer: text });

const right = '  return Math.round(total * (1 - discountPercent / 100));';
const repair = patch(edit('src/price.js', 4, right));
const fix = 'The discount of an order is ten times too large. Make the failing test pass.';
const price = 'src/price.js';
const long = Array.from({ length: 900 }, (_, i) => `export const line${i} = ${i};\n`).join('');
const renamed = { replace: [{ old: 'orderTotal', new: 'totalOfOrder' }] };
const node = {
  'package.json':
    sampleFiles['package.json']?.replace(/"test": ".*"/, '"test": "node --test"') ?? '',
};
const fixed = { ...node, [price]: (sampleFiles[price] ?? '').replace('/ 10)', '/ 100)') };

const conversations: readonly Conversation[] = [
  {
    name: 'a repair, step by step',
    task: fix,
    turns: [[activate, planOf(price), grep('discount'), read(price)], [repair, verify], [finish]],
    plain: 4,
    ends: 'PATCH_WRITTEN',
  },
  {
    name: 'a repair that is read before it is planned',
    task: fix,
    turns: [[read(price)], [activate, planOf(price), repair, verify], [finish]],
    plain: 4,
    ends: 'PATCH_WRITTEN',
  },
  {
    name: 'a repair that a search alone shows, ended without a verification',
    task: fix,
    turns: [
      [activate, planOf(price), grep('discountPercent')],
      [repair, finish],
    ],
    plain: 3,
    ends: 'PATCH_WRITTEN',
  },
  {
    name: 'a guessed path',
    task: fix,
    turns: [
      [activate, planOf('src/prices.js'), read('src/prices.js')],
      [planOf(price), read(price)],
      [repair, verify],
      [finish],
    ],
    plain: 5,
    ends: 'PATCH_WRITTEN',
  },
  {
    name: 'a first patch that fails',
    task: fix,
    turns: [
      [activate, planOf(price), read(price)],
      [patch(edit(price, 4, '  return total - discountPercent;')), verify],
      [patch(edit(price, 4, right)), verify],
      [finish],
    ],
    plain: 5,
    ends: 'PATCH_WRITTEN',
  },
  {
    name: 'an insertion, then an edit below it by the numbers that were read',
    task: fix,
    turns: [
      [activate, planOf(price), read(price)],
      [
        patch({ path: price, edits: [{ start_line: 1, end_line: 0, content: '// cents\n' }] }),
        repair,
      ],
      [verify],
      [finish],
    ],
    plain: 4,
    ends: 'PATCH_WRITTEN',
  },
  {
    name: 'a rename in code and tests',
    task: 'Rename orderTotal to totalOfOrder everywhere, tests too.',
    files: fixed,
    turns: [
      [activate, planOf(price, 'test/price.test.js'), grep('orderTotal')],
      [call('apply_patch', renamed), verify],
      [finish],
    ],
    plain: 4,
    ends: 'PATCH_WRITTEN',
  },
  {
    name: 'an edit by a command, which is taken over',
    task: fix,
    turns: [
      [activate, planOf(price), read(price)],
      [run("sed -i 's#/ 10)#/ 100)#' src/price.js")],
      [call('apply_patch', { from_command: true }), verify],
      [finish],
    ],
    plain: 4,
    ends: 'PATCH_WRITTEN',
  },
  {
    name: 'a new file beside the repair',
    task: `${fix} Keep the rate of taxes in a file of its own.`,
    turns: [
      [activate, planOf(price, 'src/tax.js'), read(price)],
      [
        patch({ path: 'src/tax.js', content: 'export const tax = 19;\n' }, edit(price, 4, right)),
        verify,
      ],
      [finish],
    ],
    plain: 4,
    ends: 'PATCH_WRITTEN',
  },
  {
    name: 'a question, without a plan',
    task: 'Where is the discount of an order computed?',
    turns: [[grep('discount'), read(price)], [answer('In `orderTotal`, src/price.js:4.')]],
    plain: 2,
    ends: 'TASK_ANSWERED',
  },
  {
    name: 'a question that is tried out',
    task: 'What does orderTotal return for an empty list?',
    turns: [
      [read(price), run(`node -p "import('./src/price.js').then(m => m.orderTotal([], 0))"`)],
      [answer('0, as src/price.js:3 sums nothing.')],
    ],
    plain: 2,
    ends: 'TASK_ANSWERED',
  },
  {
    name: 'a read of more than a round shows',
    task: fix,
    files: { 'src/long.js': long },
    turns: [
      [activate, planOf(price), read('src/long.js', { start_line: 1, end_line: 900 }), read(price)],
      [repair, verify],
      [finish],
    ],
    plain: 4,
    ends: 'PATCH_WRITTEN',
  },
  {
    name: 'changed tests that nobody asked for, and the question for them',
    task: 'shipsFree should count from 60.00.',
    files: fixed,
    turns: [
      [activate, planOf(price, 'test/price.test.js'), read(price), read('test/price.test.js')],
      [
        patch(
          edit(price, 9, '  return total >= 6000;'),
          edit('test/price.test.js', 10, '  assert.equal(shipsFree(6000), true);'),
        ),
        verify,
      ],
      [
        call('clarify', {
          reason: 'conflicting_constraints',
          question: 'May the test expect free shipping from 60.00?',
          constraints: ['task', 'VERIFY_TESTS_CHANGED'],
        }),
      ],
    ],
    plain: 4,
    ends: 'CLARIFY_CONFLICT',
  },
];

const think = 'The last results say what is there. I make the calls that follow from them.';

/** Prints a row for each conversation, and the sums. */
export async function benchSeat(): Promise<void> {
  const sums = { rounds: 0, plain: 0, tokens: 0, refused: new Map<string, number>() };
  for (const { name, turns, plain, ends, ...given } of conversations) {
    const script = turns.map((calls): ScriptedTurn => ({ text: think, calls }));
    const { rounds, refused, requests, outcome } = await probe({ ...given, script });
    if (outcome.code !== ends) throw new Error(`${name}: ${outcome.code} ${outcome.message}`);
    const tokens = requests.reduce((sum, body) => sum + tokensOf(readRequest(body)), 0);
    const codes = Object.entries(refused).map(([code, n]) => `${code} ${n}`);
    row(
      name,
      `${rounds} rounds (plain ${plain}), ${tokens} tokens`,
      codes.join(', ') || 'no refusal',
    );
    sums.rounds += rounds;
    sums.plain += plain;
    sums.tokens += tokens;
    for (const [code, n] of Object.entries(refused))
      sums.refused.set(code, (sums.refused.get(code) ?? 0) + n);
  }
  const ratio = `${(sums.rounds / sums.plain).toFixed(2)} x`;
  row(`rounds of all: ${sums.rounds}, plain ${sums.plain}`, ratio, 'goal 1.1 x');
  row('input tokens of all', `${sums.tokens}`, '');
  const all = [...sums.refused].map(([code, n]) => `${code} ${n}`);
  row('refused in all', all.join(', ') || 'nothing', '');
}
