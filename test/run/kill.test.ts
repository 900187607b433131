import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLedger } from '../../src/audit/audit.ts';
import { readStoredSession } from '../../src/workspace/session/session-store.ts';
import { cloneOf } from '../doubles/git-store.ts';
import { startModel } from '../doubles/model.ts';
import { repairScript, sampleFiles, sampleTask, withSampleTest } from '../doubles/sample.ts';
import { terminalEnv } from '../doubles/terminal.ts';
import { policy as shipped } from '../guard/policies.ts';
import { discard, fingerprint, makeFolder } from '../harness.ts';
import { startPhoton } from '../process.ts';
import { isAll, randomOf } from '../seed.ts';

let folder: string;
let repo: string;
let before: string;
beforeAll(() => {
  folder = makeFolder();
  repo = join(folder, 'repo');
  cloneOf(sampleFiles, repo);
  before = fingerprint(repo);
});
afterAll(() => discard(folder));

/** Starts a run and kills it with SIGKILL at its nth sign of progress (a log line, a request). */
async function killedAt(nth: number, out: string): Promise<{ signs: number }> {
  let signs = 0;
  let kill = () => {};
  const sign = () => {
    signs += 1;
    if (signs === nth) kill();
  };
  const model = await startModel((_body, i) => {
    sign();
    return repairScript[i] ?? { status: 500 };
  });
  const about = ['--task', sampleTask, ...withSampleTest, '--out', out];
  await startPhoton({
    args: ['run', '--repo', repo, ...about],
    cwd: folder,
    env: { ...terminalEnv(folder, model.url), TMPDIR: folder },
    started: child => {
      kill = () => child.kill('SIGKILL');
      child.stderr?.on('data', chunk => {
        for (const _line of String(chunk).split('\n').slice(1)) sign();
      });
    },
  });
  await model.close();
  return { signs };
}

/**
 * True for the inner process of a bubblewrap whose outer process was killed before it released the inner one.
 * It waits forever, has no child and has run nothing (docs/sandbox.md). This function kills it.
 */
function isHalfBorn(pid: string, line: string, out: string): boolean {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  // the process that adopts orphans is the init process, or a service manager or container runtime that asked for them
  const adopted = !readFileSync(`/proc/${parent}/cmdline`, 'latin1').includes(out);
  const orphan = /^\S*bwrap\0/.test(line) && children === '' && adopted;
  if (orphan) process.kill(Number(pid), 'SIGKILL');
  return orphan;
}

/** Processes of this machine that refer to a folder. */
function processesOf(out: string): string[] {
  return readdirSync('/proc').flatMap(pid => {
    try {
      const all = /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, 'latin1') : '';
      // the probe of another run names the sockets of this one
      const line = all.replace(/"sockets":\[[^\]]*\]/, '');
      if (!line.includes(out) || isHalfBorn(pid, line, out)) return [];
      const state = /^State:\s+(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      const place = readFileSync(`/proc/${pid}/wchan`, 'utf8');
      return [`${pid} ${state} ${place} ${line.replaceAll('\0', ' ')}`];
    } catch {
      return []; // it ended while we looked
    }
  });
}

/** Checks that ledger, session and checkout are intact, and that no process of the run is left. */
async function expectWhole(out: string): Promise<void> {
  for (const name of existsSync(out) ? readdirSync(out) : []) {
    const place = join(out, name);
    const ledgerPath = join(place, 'ledger.jsonl');
    const ledger = existsSync(ledgerPath) ? readFileSync(ledgerPath, 'utf8') : '';
    const report = auditLedger(ledger, { shipped, complete: false });
    expect(report.finding, ledger).toBeUndefined();
    const made = ledger
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as { tool: string; call?: object })
      .filter(e => e.call !== undefined)
      .map(e => e.tool);
    const file = join(place, 'session.db');
    const kept = existsSync(file) ? readStoredSession(file).calls.map(c => c.tool) : [];
    // the ledger is written first, so the last call can be missing from the session, but none from the ledger
    expect([made, made.slice(0, -1)]).toContainEqual(kept);
  }
  // the kernel needs some time to end a PID namespace, and on a busy machine the processes some to notice;
  // a process that is just starting its program has no arguments for a moment
  let left = processesOf(out);
  for (let [tries, gone] = [0, 0]; tries < 24_000 && gone < 4; tries++) {
    await new Promise(done => setTimeout(done, 25));
    left = processesOf(out);
    gone = left.length === 0 ? gone + 1 : 0;
  }
  expect(left).toEqual([]);
}

/** The number of moments to try. */
const count = isAll ? 100 : 1;

describe('a run that is killed', () => {
  it(`leaves complete records, an untouched checkout and no process, killed ${count} times at random`, async () => {
    const { signs } = await killedAt(Number.POSITIVE_INFINITY, join(folder, 'whole'));
    expect(signs).toBeGreaterThan(15);
    const random = randomOf('moments of a kill');
    const moments = Array.from({ length: count }, () => 1 + Math.floor(random() * signs));
    const sweep = async (mine: readonly number[], lane: number) => {
      for (const [i, nth] of mine.entries()) {
        const out = join(folder, `out-${lane}-${i}`);
        await killedAt(nth, out);
        await expectWhole(out).catch(error => {
          throw new Error(`killed at sign ${nth} of ${signs}: ${error}`, { cause: error });
        });
        discard(out);
      }
    };
    await Promise.all(
      [0, 1, 2, 3].map(lane =>
        sweep(
          moments.filter((_m, i) => i % 4 === lane),
          lane,
        ),
      ),
    );
    expect(fingerprint(repo)).toBe(before);
  });
});
