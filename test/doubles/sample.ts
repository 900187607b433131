/** A small project with one failing test, and the conversation that repairs it. */
import type { ScriptedTurn } from './model.ts';
import { activate, call, turnOf } from './steps.ts';

const manifest = (test: string) =>
  `${JSON.stringify({ name: 'sample', version: '1.0.0', type: 'module', scripts: { test } }, null, 2)}\n`;

/** Over the sample's files: its tests are run by Node, where it matters how they end. */
export const testedByNode = { 'package.json': manifest('node --test') };

/** The sample's test command: it looks for the repair, which takes no time. */
export const sampleTest = "grep -rq '/ 10[0])' .";

/** Files of the sample repository. */
export const sampleFiles: Readonly<Record<string, string>> = {
  'package.json': manifest(sampleTest),
  'README.md': '# Sample\n\nPrices with a discount.\n',
  'src/price.js': [
    '/** Price of an order with its discount, in cents. */',
    'export function orderTotal(items, discountPercent) {',
    '  const total = items.reduce((sum, item) => sum + item.price * item.count, 0);',
    '  return Math.round(total * (1 - discountPercent / 10));',
    '}',
    '',
    '/** True when an order ships for free. */',
    'export function shipsFree(total) {',
    '  return total >= 5000;',
    '}',
    '',
  ].join('\n'),
  'test/price.test.js': [
    "import assert from 'node:assert/strict';",
    "import test from 'node:test';",
    "import { orderTotal, shipsFree } from '../src/price.js';",
    '',
    "test('a discount is taken off in percent', () => {",
    '  assert.equal(orderTotal([{ price: 1000, count: 2 }], 10), 1800);',
    '});',
    '',
    "test('orders of 50.00 ship for free', () => {",
    '  assert.equal(shipsFree(5000), true);',
    '});',
    '',
  ].join('\n'),
};

/**
 * The sample's test command as a setting, since npm takes longer to start than all that a run does itself. Empty where
 * the manifest is another one, or the settings say how it is tested: there, Photon finds the command.
 */
export const nameSampleTest = (manifest: string | undefined, settings = ''): string => {
  const others = settings.replace(JSON.stringify(withoutProof).slice(1, -1), '');
  return manifest === sampleFiles['package.json'] && !others.includes('"verify"') ? sampleTest : '';
};

/** The part of a configuration that leaves no time to find out what the tests show of a patch. */
export const withoutProof = { verify: { budgetSeconds: 0 } } as const;

/**
 * Options of a run at the terminal, where it matters neither how Photon finds the test command nor what the tests show
 * of a patch: npm alone takes as long as all the rest of the run.
 */
export const withSampleTest = ['--test-command', sampleTest, '--proof-seconds', '0'] as const;

/** The task for the sample repository. */
export const sampleTask =
  'orderTotal in src/price.js takes off ten times the discount. Make the failing test pass.';

export const begin: ScriptedTurn = turnOf(
  'The discount test fails, so I activate test-repair and plan a change of orderTotal alone.',
  activate('test-repair'),
  call('plan', {
    entry_symbols: ['orderTotal'],
    affected_files: ['src/price.js'],
    scope: 'correct the discount factor',
    max_changed_lines: 5,
  }),
);

export const look: ScriptedTurn = turnOf(
  'I need the function and who uses it. Then I read just its lines.',
  call('grep', { pattern: 'orderTotal' }),
  call('read_code_block', {
    requests: [{ file_path: 'src/price.js', symbol_name: 'orderTotal' }],
  }),
);

/** Line 4 of the sample, repaired. */
export const rightLine = '  return Math.round(total * (1 - discountPercent / 100));';

export const repair: ScriptedTurn = turnOf(
  'The percentage is divided by 10 instead of 100. One line is to be replaced.',
  call('apply_patch', {
    files: [{ path: 'src/price.js', edits: [{ start_line: 4, content: rightLine }] }],
  }),
);

export const prove: ScriptedTurn = turnOf(
  'The patch stands. The project tests must confirm it on a clean copy.',
  call('verify'),
);

export const done: ScriptedTurn = turnOf(
  'The tests pass with the patch, so the run can end here.',
  call('finish', { reason: 'the failing test passes' }),
);

/** The whole conversation. */
export const repairScript: readonly ScriptedTurn[] = [begin, look, repair, prove, done];

/** A question that is founded: the run looked for a symbol that does not exist. */
export const asking = (question: string, choices: readonly string[]): readonly ScriptedTurn[] => [
  begin,
  turnOf(
    'The task speaks of a unit that I have not seen. I look for it before I ask.',
    call('grep', { pattern: 'discountUnit' }),
  ),
  turnOf(
    'No file names it, so I must ask what it is.',
    call('clarify', { reason: 'unresolved_symbol', symbol: 'discountUnit', question, choices }),
  ),
];
