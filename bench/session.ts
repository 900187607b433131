/** Compares opening a session over a large checkout with `git worktree add` and `cp -a`. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPrograms } from '../src/process/programs.ts';
import { openGit } from '../src/workspace/git/git.ts';
import { openSession } from '../src/workspace/session/session.ts';
import { openSessionStore } from '../src/workspace/session/session-store.ts';
import { findOverlay } from '../src/workspace/views/overlay.ts';
import { openViews } from '../src/workspace/views/view.ts';
import { discard, makeFolder } from '../test/harness.ts';
import { median, row } from './figures.ts';

const fileCount = 100_000;
const fileBytes = 20_480;
const rounds = 3;

export async function benchSession(): Promise<void> {
  const folder = makeFolder();
  try {
    const checkout = join(folder, 'checkout');
    generate(checkout);
    const opened: Sample[] = [];
    const worktrees: Sample[] = [];
    const copies: Sample[] = [];
    for (let i = 0; i < rounds; i++) {
      opened.push(await openOnce(checkout, join(folder, `session-${i}`)));
      const tree = join(folder, 'worktree');
      worktrees.push(
        run(folder, ['git', '-C', checkout, 'worktree', 'add', '-q', '--detach', tree]),
      );
      execFileSync('git', ['-C', checkout, 'worktree', 'remove', '--force', tree]);
      copies.push(run(folder, ['cp', '-a', checkout, join(folder, 'copy')]));
      execFileSync('rm', ['-rf', join(folder, 'copy')]);
    }
    const size = `${fileCount} files, ${((fileCount * fileBytes) / 1e9).toFixed(1)} GB`;
    print(`session and first view over ${size}`, opened, opened);
    print('git worktree add / that', worktrees, opened);
    print('cp -a / that', copies, opened);
    row('of it, the session alone', `${median(opened.map(o => o.sessionMs)).toFixed(0)} ms`, '');
    row('of it, its files listed', `${median(opened.map(o => o.listedMs)).toFixed(0)} ms`, '');
    row('memory of the opened session', `${median(opened.map(o => o.heapMiB)).toFixed(1)} MiB`, '');
    row('a second view of the session', `${median(opened.map(o => o.secondMs)).toFixed(0)} ms`, '');
    row(
      'view brought back after a command',
      `${median(opened.map(o => o.syncMs)).toFixed(0)} ms`,
      '',
    );
  } finally {
    discard(folder);
  }
}

const none = { sessionMs: 0, listedMs: 0, heapMiB: 0, secondMs: 0, syncMs: 0 };

interface Sample {
  readonly ms: number;
  readonly sessionMs: number;
  readonly listedMs: number;
  readonly diskKiB: number;
  readonly heapMiB: number;
  readonly secondMs: number;
  readonly syncMs: number;
}

/** Opens the same as a run: git, the session, its file, and the view of its first command. */
async function openOnce(checkout: string, scratch: string): Promise<Sample> {
  mkdirSync(scratch);
  const programs = findPrograms(process.env.PATH ?? '', [checkout]);
  const { overlay } = await findOverlay({ checkout, scratch, programs });
  const support = { overlay, home: '/home/bench', caches: [], heldFolders: [] };
  global.gc?.();
  const heap = process.memoryUsage().heapUsed;
  const from = performance.now();
  const git = await openGit(checkout, { scratch, programs });
  const session = openSession(git);
  const store = openSessionStore(
    join(scratch, 'session.db'),
    { run: 'bench', agent: 'photon', commit: git.commit, tree: git.tree },
    checkout,
  );
  store.record(
    {
      phase: 'INPUT',
      tool: 'bench',
      decision: 'pass',
      code: null,
      paths: [],
      arguments: '',
      content: '',
      durationMs: 0,
    },
    session.drain(),
    { startedAt: 0, endedAt: 0 },
  );
  const sessionMs = performance.now() - from;
  await session.files();
  const listedMs = performance.now() - from;
  const open = openViews({ git, scratch, programs });
  const view = await open(support, []);
  const ms = performance.now() - from;
  const diskKiB = usedKiB(scratch);
  global.gc?.();
  const heapMiB = (process.memoryUsage().heapUsed - heap) / 1024 / 1024;
  const second = performance.now();
  const other = await open(support, []);
  const secondMs = performance.now() - second;
  await view.sync(git.tree);
  const sync = performance.now();
  await view.sync(git.tree);
  const syncMs = performance.now() - sync;
  for (const each of [view, other]) await each.close();
  store.close();
  git.close();
  return { ms, sessionMs, listedMs, diskKiB, heapMiB, secondMs, syncMs };
}

function run(folder: string, [program = '', ...args]: readonly string[]): Sample {
  const before = usedKiB(folder);
  const from = performance.now();
  if (spawnSync(program, args, { stdio: 'ignore' }).status !== 0)
    throw new Error(`${program} failed`);
  const ms = performance.now() - from;
  return { ms, diskKiB: usedKiB(folder) - before, ...none };
}

function print(name: string, samples: readonly Sample[], beside: readonly Sample[]): void {
  const [ms, kib] = [median(samples.map(s => s.ms)), median(samples.map(s => s.diskKiB))];
  const ratio =
    samples === beside
      ? ''
      : `${(ms / median(beside.map(s => s.ms))).toFixed(0)} x time, ${(kib / median(beside.map(s => s.diskKiB))).toFixed(0)} x disk; `;
  row(name, `${ratio}${ms.toFixed(0)} ms, ${kib.toFixed(0)} KiB`, '');
}

function usedKiB(folder: string): number {
  return Number(execFileSync('du', ['-sk', folder], { encoding: 'utf8' }).split('\t')[0]);
}

/** Writes files of one size with different content, in folders of a hundred. */
function generate(checkout: string): void {
  const filler = 'const value = 1; // the same in every file of this generated repository\n';
  const body = filler.repeat(Math.ceil(fileBytes / filler.length)).slice(0, fileBytes - 16);
  for (let i = 0; i < fileCount; i++) {
    const at = join(checkout, `d${Math.floor(i / 10_000)}`, `e${Math.floor(i / 100) % 100}`);
    if (i % 100 === 0) mkdirSync(at, { recursive: true });
    writeFileSync(join(at, `f${i % 100}.js`), `// ${String(i).padStart(12)}\n${body}`);
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'core.compression=0', '-c', 'gc.auto=0', ...args], {
      cwd: checkout,
      stdio: 'ignore',
    });
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=B', '-c', 'user.email=b@example.com', 'commit', '-q', '-m', 'bench');
}
