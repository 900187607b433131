import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseMocha } from '../../../src/ecosystems/javascript/mocha-report.ts';
import { discard, makeFolder, root } from '../../harness.ts';

const mocha = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js');
const suite = `
const assert = require('node:assert');
describe('a suite', () => {
  it('works', () => {});
  it('breaks', () => assert.equal(1, 2));
  it.skip('is skipped', () => {});
});
describe('another', () => { before(() => { throw new Error('no server'); }); it('waits', () => {}); });
`;

it.runIf(existsSync(mocha))('the report of mocha gives its cases, and the hook that failed', () => {
  const folder = makeFolder();
  try {
    const file = join(folder, 'a.test.cjs');
    writeFileSync(file, suite);
    const env = { PATH: process.env.PATH };
    const args = [mocha, '--reporter', 'json', file];
    const { stdout } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' });
    const cases = parseMocha(stdout);
    expect(cases).toMatchObject([
      { id: 'a suite works', status: 'passed', file },
      { id: 'a suite breaks', status: 'failed', message: expect.stringContaining('1 == 2') },
      { id: 'a suite is skipped', status: 'skipped' },
      { id: 'another "before all" hook for "waits"', status: 'failed' },
    ]);
  } finally {
    discard(folder);
  }
});

it.each([
  ['a report of jest', '{"testResults": []}'],
  ['another object', '{"stats": {"tests": 1}}'],
  ['no JSON', 'all fine'],
  ['a case without a name', '{"stats": {"tests": 1}, "tests": [1]}'],
])('%s is none', (_name, text) => expect(parseMocha(text)).toBeUndefined());

it('a title in two files is two cases, each with its own result', () => {
  const [one, two] = ['/a.js', '/b.js'].map(file => ({ fullTitle: 'works', file, err: {} }));
  const text = JSON.stringify({ stats: { tests: 2 }, tests: [one, two], failures: [two] });
  expect(parseMocha(text)).toMatchObject([
    { id: 'works', status: 'passed', file: '/a.js' },
    { id: 'works (2)', status: 'failed', file: '/b.js' },
  ]);
});
