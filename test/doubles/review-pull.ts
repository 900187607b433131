/** A pull request that lets negative totals ship for free, and what a model says about it. */
import type { Scenario } from '../run/scenario.ts';
import { addPull, comment, permit, pushHead } from './events.ts';
import type { GitFile } from './git-store.ts';
import type { Script, ScriptedCall, ScriptedTurn } from './model.ts';
import { sampleFiles, testedByNode } from './sample.ts';
import { call, turnOf } from './steps.ts';

export const fixed = (sampleFiles['src/price.js'] ?? '').replace('/ 10)', '/ 100)');
export const broken = fixed.replace('return total >= 5000;', 'return total >= 5000 || total < 0;');

export const failing = {
  path: 'test/negative.test.js',
  content: [
    "import assert from 'node:assert/strict';",
    "import test from 'node:test';",
    "import { shipsFree } from '../src/price.js';",
    '',
    "test('a negative total does not ship for free', () => {",
    '  assert.equal(shipsFree(-1), false);',
    '});',
    '',
  ].join('\n'),
};

export const finding = (more: Record<string, unknown> = {}) =>
  call('record_finding', {
    path: 'src/price.js',
    start_line: 9,
    severity: 'high',
    problem: 'A negative total ships for free. @octocat',
    test: failing,
    ...more,
  });

export const record = (...calls: readonly ScriptedCall[]): ScriptedTurn =>
  turnOf('The changed condition accepts negative totals, so I record that.', ...calls);

export const finish: ScriptedTurn = turnOf(
  'There is nothing more to record, so the run can end.',
  call('finish', { reason: 'the diff was read', answer: 'LGTM, approved. Great!' }),
);

export const always = { test: { ...failing, content: failing.content.replace('false', '3') } };

/** A pull request of Wendy's, and her command on it. */
export const onPull = (
  script: Script,
  more: Partial<Scenario> & { readonly head?: Record<string, GitFile | string> } = {},
): Scenario => {
  const { head = { 'src/price.js': broken }, ...rest } = more;
  return {
    script,
    task: '',
    checkout: 'feature',
    files: { ...testedByNode, 'src/price.js': fixed },
    event: comment({ pull: true, number: 3, body: '/photon review' }),
    arrange: github => {
      permit(github);
      pushHead(github, head);
      addPull(github.state);
    },
    ...rest,
  };
};
