/** The embedded engine asks the project's type checker and linter about the edit that it chose. */
import { describe, expect, it } from 'vitest';
import type { GitFile } from '../doubles/git-store.ts';
import { play } from './scenario.ts';

const limitMs = 110_000;
const none = { 'api-key': '', 'base-url': '', model: '' };
const task = 'Make the failing tests pass.';

/** A linter that refuses what a line of shell finds in the file, besides an error that is always there. */
const linter = (finds: string): GitFile => ({
  mode: '100755',
  content: [
    '#!/bin/sh',
    'for file; do :; done',
    `message() { printf '{"severity":2,"line":1,"ruleId":"%s","message":"No."}' "$1"; }`,
    `printf '[{"filePath":"%s/%s","messages":[' "$PWD" "$file"`,
    'message always',
    `if ${finds}; then printf ,; message refused; fi`,
    "printf ']}]\\n'",
    'exit 1',
    '',
  ].join('\n'),
});

const files = {
  'package.json':
    '{"type":"module","scripts":{"test":"node --test"},"devDependencies":{"eslint":"1"}}\n',
  'eslint.config.js': 'export default [];\n',
  'src/price.js': [
    'export function size(width, height) {',
    '  if (width === 0) return 0;',
    '  return width * width;',
    '}',
    '',
  ].join('\n'),
  'test/price.test.js': [
    "import assert from 'node:assert/strict';",
    "import { it } from 'node:test';",
    "import { size } from '../src/price.js';",
    "it('is the product', () => assert.equal(size(2, 3), 6));",
    "it('of a square', () => assert.equal(size(2, 2), 4));",
    "it('of nothing', () => assert.equal(size(0, 0), 0));",
    '',
  ].join('\n'),
};

const repaired = (finds: string | undefined) => {
  const all: Record<string, string | GitFile> = { ...files };
  if (finds !== undefined) all['node_modules/.bin/eslint'] = linter(finds);
  return { script: [], files: all, task, inputs: none };
};

describe('an edit that the linter of the project refuses', () => {
  it(
    'gives way to another one that passes',
    async () => {
      let first = '';
      await play(repaired(undefined), ({ outcome }) => {
        first = outcome.repair?.edit?.after.trim() ?? '';
        expect(outcome.repair?.others).toBeGreaterThan(0);
      });
      expect(first).toMatch(/^return \w+ \* \w+;$/);
      await play(repaired(`grep -qF '${first}' "$file"`), ({ outcome }) => {
        expect(outcome).toMatchObject({ status: 'committed', engine: 'builtin' });
        expect(outcome.repair?.edit?.after).not.toContain(first);
        expect(outcome.repair?.alternatives.map(e => e.after.trim())).toContain(first);
        expect(outcome.repair?.warnings.join('\n')).not.toContain('checks');
      });
    },
    limitMs,
  );

  it(
    'is a draft with a warning if all others are refused as well',
    async () => {
      // whatever differs from the base
      const finds = `! grep -qF 'return width * width;' "$file"`;
      await play(repaired(finds), ({ outcome, github }) => {
        expect(outcome.status).toBe('committed');
        expect(outcome.repair?.warnings).toContain(
          "The edit adds an error of the project's checks: eslint: src/price.js:1 refused: No.",
        );
        expect([...github.state.pulls.values()].map(p => p.draft)).toEqual([true]);
      });
    },
    limitMs,
  );
});
