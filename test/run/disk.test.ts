import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { auditLedger } from '../../src/audit/audit.ts';
import { withConfig } from '../doubles/config.ts';
import { startGitHub } from '../doubles/github.ts';
import { type Script, startModel } from '../doubles/model.ts';
import { repairScript, sampleFiles, sampleTask } from '../doubles/sample.ts';
import { turnOf } from '../doubles/steps.ts';
import { policy } from '../guard/policies.ts';
import { type ActionRun, discard, fingerprint, makeFolder, runActionIn } from '../harness.ts';
import { playsVariants, sample } from '../seed.ts';

/**
 * Gives the Action a runner folder on a disk of a given size, and changes that disk on request. Copies what is
 * on it at the end, because the mount disappears with its namespace.
 */
const wrapper = `
const { spawn, execFileSync } = require('child_process');
const { existsSync, readFileSync, writeFileSync, cpSync } = require('fs');
const [disk, kept, size, ask, act, ...argv] = process.argv.slice(1);
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=' + size, 'tmpfs', disk]);
const child = spawn(argv[0], argv.slice(1), { stdio: 'inherit' });
const name = pid => { try { return readFileSync('/proc/' + pid + '/comm', 'utf8').trim(); } catch { return 'git'; } };
const started = () => readFileSync('/proc/' + child.pid + '/task/' + child.pid + '/children', 'utf8').split(' ');
// what the tests of the base leave is removed first: it would give room again
let idle = 0;
const timer = setInterval(() => {
  if (!existsSync(ask)) return;
  idle = started().filter(Boolean).every(pid => name(pid) === 'git') ? idle + 1 : 0;
  if (idle < 30) return;
  clearInterval(timer);
  try { execFileSync('sh', ['-c', act], { env: { ...process.env, disk }, stdio: 'ignore' }); } catch {}
  writeFileSync(ask + '.done', '');
}, 10);
child.on('close', code => {
  clearInterval(timer);
  cpSync(disk, kept, { recursive: true, filter: from => !from.endsWith('filler') });
  process.exit(code);
});`;

interface Trouble {
  readonly size: string;
  /** A shell line that changes the disk. */
  readonly act: string;
  /** The model turn before which the line runs. */
  readonly before: number;
}

async function runOn(
  { size, act, before }: Trouble,
  check: (run: ActionRun) => void,
): Promise<void> {
  const github = await startGitHub({ seed: withConfig(sampleFiles) });
  const folder = makeFolder();
  const [disk, kept, ask] = ['runner', 'kept', 'ask'].map(name => join(folder, name));
  const script: Script = async (_body, index) => {
    if (index === before) {
      writeFileSync(ask ?? '', '');
      await expect.poll(() => existsSync(`${ask}.done`), { timeout: 600_000 }).toBe(true);
    }
    return repairScript[index] ?? turnOf('Nothing more is to be done.');
  };
  const model = await startModel(script);
  try {
    const workspace = join(folder, 'checkout');
    github.clone(workspace, 'main');
    for (const path of [disk, kept]) mkdirSync(path ?? '');
    const refs = github.store.refs();
    const print = fingerprint(workspace);
    const isRoot = process.getuid?.() === 0;
    const run = await runActionIn(folder, {
      github,
      modelUrl: model.url,
      workspace,
      inputs: { task: sampleTask },
      through: [
        'unshare',
        ...(isRoot ? [] : ['--user', '--map-root-user']),
        '--mount',
        process.execPath,
        '-e',
        wrapper,
        disk ?? '',
        kept ?? '',
        size,
        ask ?? '',
        act,
      ],
      ended: () => cpSync(kept ?? '', disk ?? '', { recursive: true }),
    });
    expect(fingerprint(workspace)).toBe(print);
    expect(run.homeUntouched).toBe(true);
    expect(github.store.refs()).toEqual(refs);
    check(run);
  } finally {
    await Promise.all([github.close(), model.close()]);
    discard(folder);
  }
}

describe('a disk', () => {
  it.each(sample('turns', [1, 2, 3, 4], 1))(
    'that is full before turn %i ends the run as failed, and nothing is lost',
    async before => {
      await runOn({ size: '24m', act: 'cat /dev/zero > "$disk/filler"', before }, run => {
        expect(run.outcome).toMatchObject({ status: 'failed', code: 'DISK' });
        expect(run.outputs).toMatchObject({ status: 'failed', code: 'DISK' });
        const { head } = run.outcome.ledger;
        const report = auditLedger(run.ledgerText, { shipped: policy, complete: true, head });
        expect(report.finding).toBeUndefined();
        expect(run.outcome.patch.files.map(f => f.path)).toEqual(
          run.patch === '' ? [] : ['src/price.js'],
        );
        expect(run.session?.calls.length ?? 0).toBeLessThanOrEqual(report.entries);
      });
    },
  );

  it.runIf(playsVariants).each(
    sample(
      'disks at the start',
      [
        ['full', '8k', 'the disk is full', 'Free some space'],
        ['read-only', '24m,ro', 'the file system is read-only', 'Choose a place'],
      ],
      1,
    ),
  )('that is %s at the start ends the run as failed', async (_how, size, reason, hint) => {
    await runOn({ size, act: 'true', before: 0 }, run => {
      expect(run.outputs).toMatchObject({ status: 'failed', code: 'DISK' });
      expect(run.exitCode).toBe(1);
      expect(run.log).toContain(`cannot be written: ${reason}.`);
      expect(run.log).toContain(hint);
    });
  });
});
