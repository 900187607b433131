/** Edits that pass and that the tests do not decide are named, and not delivered. */
import { expect, it } from 'vitest';
import { has, needs } from '../programs.ts';
import { play } from './scenario.ts';

const limitMs = 110_000;
const none = { 'api-key': '', 'base-url': '', model: '' };
const task = 'Make the failing tests pass.';

const lines = (...all: readonly string[]) => `${all.join('\n')}\n`;

/** A pattern that separates the decimals, too. Without its flag it separates once, and nothing tests larger numbers. */
const money = {
  'package.json': '{"type":"module","scripts":{"test":"node --test"}}\n',
  'src/price.js': lines(
    'const thousands = /\\B(?=(\\d{3})+(?!\\d))/g;',
    '',
    "export function money(amount, { separator = '', decimals = 2 } = {}) {",
    "  if (!Number.isFinite(amount)) return '';",
    '  const text = amount.toFixed(decimals);',
    "  return separator === '' ? text : text.replace(thousands, separator);",
    '}',
  ),
  'test/price.test.js': lines(
    "import assert from 'node:assert/strict';",
    "import { it } from 'node:test';",
    "import { money } from '../src/price.js';",
    "it('has two decimals', () => assert.equal(money(3), '3.00'));",
    "it('separates thousands', () => assert.equal(money(1234, { separator: ',' }), '1,234.00'));",
    "it('is nothing for no number', () => assert.equal(money(NaN), ''));",
    "it('separates no decimals', () =>",
    "  assert.equal(money(1234.5678, { separator: ',', decimals: 4 }), '1,234.5678'));",
  ),
};

/** A comparison of which no test sees that it is true: almost any member in it makes it false. */
const zone = {
  'package.json': '{"name":"not-the-test-command"}\n',
  'zone.py': lines(
    'class Zone:',
    '    def __init__(self, name, minutes):',
    '        self.name = name',
    '        self.minutes = minutes',
    '',
    '    def label(self):',
    '        hours = self.minutes // 60',
    "        return '{} {:+d}'.format(self.name, hours)",
    '',
    '    def __eq__(self, other):',
    '        return self.name == other.name and self.minutes == other.minutes',
  ),
  'test_zone.py': lines(
    'import unittest',
    'from zone import Zone',
    '',
    '',
    'class ZoneTest(unittest.TestCase):',
    '    def test_label(self):',
    "        self.assertEqual(Zone('CET', 60).label(), 'CET +1')",
    '',
    '    def test_west(self):',
    "        self.assertEqual(Zone('EST', -300).label(), 'EST -5')",
    '',
    '    def test_is_no_text(self):',
    "        self.assertFalse(Zone('CET', 60) == 'CET')",
  ),
};

it(
  'an edit of which no small change can be tried is named, and not delivered',
  async () => {
    await play({ script: [], files: money, inputs: none, task }, ({ outcome, patch, github }) => {
      expect(outcome).toMatchObject({ status: 'abstained', code: 'ABSTAINED' });
      expect(outcome.statement).toContain('Passes all tests and is refused: Remove `g`');
      expect(outcome.statement).toContain('no small change of it could be tried');
      expect(outcome.repair?.refused).toMatchObject([{ path: 'src/price.js', line: 1 }]);
      expect(patch).toBe('');
      expect(github.state.pulls.size).toBe(0);
    });
  },
  limitMs,
);

it.runIf(has('python3'))(
  `edits between which a single failing test does not decide are named, and none is delivered ${needs('python3')}`,
  async () => {
    const inputs = { ...none, 'test-command': 'python3 -m unittest' };
    await play({ script: [], files: zone, inputs, task }, ({ outcome, patch, github }) => {
      expect(outcome).toMatchObject({ status: 'abstained', code: 'ABSTAINED' });
      expect(outcome.statement).toMatch(/a single failing test decides, and \d+ other edits pass/);
      expect(outcome.repair?.refused?.length).toBe(5);
      for (const refused of outcome.repair?.refused ?? [])
        expect(outcome.repair?.suspects.map(s => s.path)).toContain(refused.path);
      expect(patch).toBe('');
      expect(github.state.pulls.size).toBe(0);
    });
  },
  limitMs,
);
