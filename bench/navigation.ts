/** A lookup by the index at three sizes, beside `git grep` and Universal Ctags on the same files. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lookupSource } from '../src/agent/navigation.ts';
import { findDefinitions, findReferences } from '../src/navigation/lookup.ts';
import { renderPlaces } from '../src/navigation/places.ts';
import { openSymbols } from '../src/navigation/symbols.ts';
import { openGit } from '../src/session/git.ts';
import { openSession } from '../src/session/session.ts';
import { openShipped } from '../src/session/shipped.ts';
import { discard, makeFolder, root } from '../test/harness.ts';
import { row } from './figures.ts';

export async function benchNavigation(): Promise<void> {
  await bytesToReach('placeFile');
  for (const count of [1_000, 10_000, 100_000]) {
    const folder = makeFolder();
    try {
      const checkout = join(folder, 'checkout');
      generate(checkout, count);
      await lookups(checkout, join(folder, 'scratch'), count);
    } finally {
      discard(folder);
    }
  }
}

/** What is put before the model to reach one definition of this repository, by three ways. */
async function bytesToReach(name: string): Promise<void> {
  const scratch = makeFolder();
  const git = await openGit(root, { scratch, searchPath: process.env.PATH ?? '' });
  const session = openSession(git);
  const source = lookupSource(session, openSymbols(openShipped(root)));
  const found = await findDefinitions(source, { name, from: '' });
  const [place] = found.places;
  const text = (place && (await source.text(place.path))) ?? '';
  const limits = { source: 'index', offset: 0, maxPlaces: 100, maxBytes: 30_000 };
  const answer = renderPlaces(found, { ...limits, lineOf: () => '' }).text;
  const body = text.split('\n').slice((place?.line ?? 1) - 1, place?.symbol?.endLine);
  const { hits } = await session.grep({
    pattern: name,
    folder: '',
    fixed: true,
    ignoreCase: false,
  });
  const lookup = answer.length + body.join('\n').length;
  const search =
    hits.map(h => `${h.path} L${h.line} ${h.text.slice(0, 200)}`).join('\n').length +
    body.join('\n').length;
  row(`bytes to reach ${name}: lookup`, `${lookup}`, '');
  row('  by grep; by the whole file', `${search}; ${answer.length + text.length}`, '');
  git.close();
  discard(scratch);
}

async function lookups(checkout: string, scratch: string, count: number): Promise<void> {
  mkdirSync(scratch);
  const word = `work${Math.floor(count / 2)}`;
  const grep = timed(() => spawnSync('git', ['grep', '-n', '-w', word], { cwd: checkout }));
  const ctags = timed(() =>
    spawnSync('ctags', ['-R', '-f', join(scratch, 'tags'), '.'], { cwd: checkout }),
  );
  const git = await openGit(checkout, { scratch, searchPath: process.env.PATH ?? '' });
  const session = openSession(git);
  await session.files();
  global.gc?.();
  const heap = process.memoryUsage().heapUsed;
  const source = lookupSource(session, openSymbols(openShipped(root)));
  const asked = { name: word, from: '' };
  const first = await timedAsync(() => findDefinitions(source, asked));
  const second = await timedAsync(() => findDefinitions(source, asked));
  const uses = await timedAsync(() => findReferences(source, asked));
  const places = (await findDefinitions(source, asked)).places.length;
  if (places !== 1) throw new Error(`${places} definitions of ${word}`);
  global.gc?.();
  const mib = (process.memoryUsage().heapUsed - heap) / 1024 / 1024;
  git.close();
  const beside = `${(first / grep).toFixed(1)} x git grep, ${(first / ctags).toFixed(2)} x ctags -R`;
  row(`first definition, ${count} files`, `${first.toFixed(0)} ms (${beside})`, '');
  row('  the same again; references', `${second.toFixed(0)} ms; ${uses.toFixed(0)} ms`, '');
  row('  memory of the index', `${Math.max(0, mib).toFixed(1)} MiB`, '');
}

function timed(work: () => { readonly status: number | null }): number {
  const from = performance.now();
  if (work().status !== 0) throw new Error('a program beside the index failed');
  return performance.now() - from;
}

async function timedAsync(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** Modules of about a kilobyte, each with a function that the next one calls. */
function generate(checkout: string, count: number): void {
  for (let i = 0; i < count; i++) {
    const at = join(checkout, `d${Math.floor(i / 10_000)}`, `e${Math.floor(i / 100) % 100}`);
    if (i % 100 === 0) mkdirSync(at, { recursive: true });
    const filler = Array.from({ length: 12 }, (_, n) => `const value${n} = ${i * 12 + n}; // kept`);
    const text = `export function work${i}(a: number) {\n  return a + work${i + 1}(a);\n}\n${filler.join('\n')}\n`;
    writeFileSync(join(at, `f${i % 100}.ts`), text);
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'gc.auto=0', ...args], { cwd: checkout, stdio: 'ignore' });
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=B', '-c', 'user.email=b@example.com', 'commit', '-q', '-m', 'bench');
}
