import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findPrograms } from '../../src/process/programs.ts';
import { repairScript } from '../doubles/sample.ts';
import { pathWithout } from '../doubles/search-path.ts';
import { discard, makeFolder } from '../harness.ts';
import { has } from '../programs.ts';
import { sample } from '../seed.ts';
import { play } from './scenario.ts';

const folder = makeFolder();
afterAll(() => discard(folder));

/** A PATH without the programs that create namespaces. */
const poorPath = () => pathWithout(folder, 'bwrap', 'unshare');

describe('a machine without a sandbox', () => {
  it.each(sample('settings of a sandbox', ['required', 'auto'], 1))(
    'ends a job with sandbox: %s before the first model request, and says what to do',
    async sandbox => {
      await play(
        { script: repairScript, inputs: { sandbox }, env: { PATH: poorPath() } },
        ({ outcome, log, model }) => {
          expect(outcome).toMatchObject({ status: 'failed', code: 'SANDBOX_UNAVAILABLE' });
          expect(outcome.message).toContain('This machine has no sandbox');
          expect(log).toContain('apt-get install bubblewrap');
          expect(log).not.toContain('sandbox: none');
          expect(model.requests).toHaveLength(0);
        },
      );
    },
  );

  it.each(sample('deliveries without a sandbox', ['pull-request', 'commit'], 1))(
    'takes sandbox: none, and what it delivers (%s) is a draft that says so in its first line',
    async delivery => {
      await play(
        {
          script: repairScript,
          inputs: { sandbox: 'none', 'test-command': 'node --test', delivery },
          env: { PATH: poorPath() },
        },
        ({ outcome, summary, github }) => {
          expect(outcome).toMatchObject({ status: 'committed', code: 'COMMITTED' });
          expect(outcome.sandbox.launcher).toBe('plain');
          expect(outcome.sandbox.guarantees.filter(g => g.holds)).toEqual([]);
          const [pull] = github.state.pulls.values();
          expect(pull).toMatchObject({ draft: true, state: 'open' });
          expect(pull?.body.split('\n')[0]).toMatch(/^\*\*No sandbox\*\*: .*`sandbox: none`/);
          expect(summary).toContain('**No sandbox**');
        },
      );
    },
  );
});

describe('a machine whose sandbox lacks a guarantee', () => {
  /** A PATH whose `bwrap` leaves commands in the network of the machine. */
  const leakyPath = () => {
    const bin = join(folder, 'leaky');
    mkdirSync(bin, { recursive: true });
    const { bwrap = '' } = findPrograms(process.env.PATH ?? '', []).paths;
    const script = `#!/bin/sh\nn=$#; while [ $n -gt 0 ]; do a=$1; shift; case $a in --unshare-all) set -- "$@" $a --share-net;; *) set -- "$@" "$a";; esac; n=$((n-1)); done\nexec ${bwrap} "$@"\n`;
    writeFileSync(join(bin, 'bwrap'), script, { mode: 0o755 });
    return `${bin}:${pathWithout(folder, 'bwrap', 'setpriv')}`;
  };

  it.runIf(has('bwrap'))(
    'ends a job on Linux with sandbox: auto, and names the guarantee',
    async () => {
      await play(
        { script: repairScript, inputs: { sandbox: 'auto' }, env: { PATH: leakyPath() } },
        ({ outcome, model }) => {
          expect(outcome).toMatchObject({ status: 'failed', code: 'SANDBOX_UNAVAILABLE' });
          expect(outcome.message).toContain('The sandbox lacks: network');
          expect(model.requests).toHaveLength(0);
        },
      );
    },
  );

  it.runIf(has('bwrap'))(
    'serves a run outside of a job, whose pull request names the guarantee',
    async () => {
      await play(
        {
          script: repairScript,
          inputs: { sandbox: 'auto', 'test-command': 'node --test' },
          env: { PATH: leakyPath(), GITHUB_ACTIONS: '' },
        },
        ({ outcome, summary, github }) => {
          expect(outcome).toMatchObject({ status: 'committed', code: 'COMMITTED' });
          const missing = outcome.sandbox.guarantees.filter(g => !g.holds).map(g => g.name);
          expect(missing).toContain('network');
          const [pull] = github.state.pulls.values();
          for (const text of [summary, pull?.body])
            expect(text).toContain(`lacks these guarantees: ${missing.join(', ')}.`);
        },
      );
    },
  );
});
