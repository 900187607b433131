/** The real tape runs warm: nested tests are cases, and a candidate runs those that it needs, and no others. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stagesFor } from '../../../../src/repair/search/search.ts';
import { linkPackages } from '../../../doubles/installed.ts';
import { type LocalCheckout, withAdapter } from '../../../doubles/runner-context.ts';
import { has, needs } from '../../../programs.ts';
import { root } from '../../../root.ts';
import { isAll } from '../../../seed.ts';

const source = [
  'const seen = [];',
  'exports.seen = seen;',
  'exports.total = prices => prices.slice(1).reduce((a, b) => a + b, 0);',
  '',
].join('\n');
const right = source.replace('.slice(1)', '');

/** `counted` is what the second nested test expects to have run. */
const spec = (counted: string) =>
  [
    "const test = require('tape');",
    "const { seen, total } = require('../src/price.js');",
    "test('total', t => {",
    "  t.test('of none', st => { seen.push('none'); st.equal(total([]), 0); st.end(); });",
    "  t.test('of two', st => {",
    `    st.deepEqual([total([1, 2]), ${counted}], [3, 'as wanted']);`,
    '    st.end();',
    '  });',
    "  t.test('deeper', st => {",
    "    st.test('of one', sst => { seen.push('one'); sst.equal(total([0]), 0); sst.end(); });",
    '    st.end();',
    '  });',
    '  t.end();',
    '});',
    "test('other', t => { seen.push('other'); t.pass(); t.end(); });",
    '',
  ].join('\n');

const checkoutOf = (counted: string): LocalCheckout => ({
  testCommand: 'tape test/*.js',
  files: {
    'package.json': '{}',
    'src/price.js': source,
    'test/index.js': "'use strict';\n\nrequire('./price');\n",
    'test/price.js': spec(counted),
  },
  cloned: linkPackages(join(root, 'test', 'runners')),
});
const whole = ['of none', 'of two', 'of one', 'other'];
const nameOf = (id: string) => id.replace(/^.* > /, '');

/** What the stages of a candidate run, and how it ends. */
async function play(counted: string, text: string) {
  const played = { log: [] as readonly string[], ends: [] as string[], actual: '' };
  await withAdapter(checkoutOf(counted), async (adapter, log) => {
    expect(adapter.base.map(c => nameOf(c.id))).toEqual(expect.arrayContaining(whole));
    const runner = await adapter.open();
    const stages = stagesFor(adapter.base);
    const job = { files: { 'src/price.js': text }, stages, bail: true, coverage: false };
    const { cases } = await runner.run(job);
    played.ends = [...new Map(cases.map(c => [nameOf(c.id), c.status]))].map(c => c.join(' '));
    played.actual = cases.find(c => c.status === 'failed')?.compared?.actual ?? '';
    runner.close();
    played.log = log;
  });
  return played;
}

describe.runIf(isAll && has('tape'))(`tape ${isAll ? needs('tape') : ''}`, () => {
  it('runs the nested tests that fail without the others', async () => {
    const alone = "seen.length === 0 || seen.length === 1 ? 'as wanted' : 'not'";
    const telling = "exports.total = () => 'seen: ' + seen.join() + '.';\n";
    const { actual, ends: failed, log } = await play(alone, source + telling);
    expect([log, failed]).toEqual([[], ['of two failed']]);
    expect(actual).toContain('seen: .');
    const { ends } = await play(alone, right);
    expect(ends).toEqual(expect.arrayContaining(whole.map(name => `${name} passed`)));
  }, 60_000);

  it('runs them with those that they build on', async () => {
    const after = "seen.includes('none') ? 'as wanted' : 'not'";
    const { ends, log } = await play(after, right);
    expect(ends).toEqual(expect.arrayContaining(whole.map(name => `${name} passed`)));
    expect(log).toEqual([expect.stringContaining('of two" ends otherwise')]);
  }, 60_000);
});
