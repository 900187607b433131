/** Snapshots of node:test, and assertions that a test file registers, work in the thread that stays. */
import { expect, it } from 'vitest';
import { trialStages } from '../../../../src/repair/search/search.ts';
import { tryJobs, withAdapter } from '../../../doubles/runner-context.ts';

const right = 'export const price = n => ({ gross: n * 2, note: "`" + n + "`" });\n';
const test = [
  "import { assert, describe, it, snapshot } from 'node:test';",
  "import { price } from '../src/price.js';",
  'snapshot.setDefaultSnapshotSerializers([value => JSON.stringify(value)]);',
  "assert.register('isPrice', value => { if (!value.gross) throw new Error('no price'); });",
  "describe('a price', () => {",
  "  it('is kept', t => {",
  '    t.assert.snapshot(price(1));',
  '    t.assert.snapshot(price(2).note, { serializers: [String] });',
  '  });',
  "  it('has a file', t => t.assert.fileSnapshot(price(0).note, 'test/note.txt'));",
  "  it('is registered', t => t.assert.isPrice(price(3)));",
  '});',
  '',
].join('\n');
const kept = [
  'exports[`a price > is kept 1`] = `\n{"gross":2,"note":"\\`1\\`"}\n`;\n',
  'exports[`a price > is kept 2`] = `\n\\`2\\`\n`;\n',
].join('\n');

it('a candidate is held against the snapshots of node:test', async () => {
  const files = {
    'package.json': '{"type":"module"}',
    'src/price.js': right.replace('n * 2', 'n * 3'),
    'test/price.test.js': test,
    'test/price.test.js.snapshot': kept,
    'test/note.txt': '"`0`"',
  };
  await withAdapter({ files, testCommand: 'node --test' }, async (adapter, log) => {
    expect([adapter.name, log]).toEqual(['node:test, warm', []]);
    expect(adapter.base.map(c => `${c.status} ${c.id}`)).toEqual([
      'failed test/price.test.js > a price > is kept',
      'passed test/price.test.js > a price > has a file',
      'passed test/price.test.js > a price > is registered',
    ]);
    // the second candidate finds nothing that the first one left
    const jobs = [right, files['src/price.js'], right].map(text => ({
      files: { 'src/price.js': text },
      stages: trialStages(adapter),
    }));
    expect(await tryJobs(adapter, jobs)).toEqual([true, false, true]);
  });
}, 60_000);
