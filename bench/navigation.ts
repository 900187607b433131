/** Compares a lookup in the index with `git grep` and Universal Ctags, on repositories of three sizes. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findDefinitions } from '../src/navigation/lookup.ts';
import { lookupSource } from '../src/navigation/open-navigation.ts';
import { renderPlaces } from '../src/navigation/places.ts';
import { openSymbols } from '../src/navigation/symbols.ts';
import { findPrograms } from '../src/process/programs.ts';
import { openGit } from '../src/workspace/git/git.ts';
import { openSession } from '../src/workspace/session/session.ts';
import { openShipped } from '../src/workspace/trusted/shipped.ts';
import { discard, makeFolder, root } from '../test/harness.ts';
import { median, row } from './figures.ts';
import type { LookedUp } from './lookup.ts';

export async function benchNavigation(): Promise<void> {
  await bytesToReach('placeFile');
  for (const count of [1_000, 10_000, 100_000]) {
    const folder = makeFolder();
    try {
      const checkout = join(folder, 'checkout');
      generate(checkout, count);
      await lookups(checkout, folder, count);
    } finally {
      discard(folder);
    }
  }
}

/** Bytes that the model reads to reach one definition of this repository, in three ways. */
async function bytesToReach(name: string): Promise<void> {
  const scratch = makeFolder();
  const git = await openGit(root, { scratch, programs: findPrograms(process.env.PATH ?? '', []) });
  const session = openSession(git);
  const source = lookupSource(session, openSymbols(openShipped(root)));
  const found = await findDefinitions(source, { name, from: '' });
  const [place] = found.places;
  const text = (place && (await source.text(place.path))) ?? '';
  const limits = { source: 'index', offset: 0, maxPlaces: 100, maxBytes: 30_000 };
  const answer = renderPlaces(found, { ...limits, lineOf: () => '' }).text;
  const body = text.split('\n').slice((place?.line ?? 1) - 1, place?.symbol?.endLine);
  const { hits } = await session.grep({
    patterns: [name],
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

const rounds = 3;

async function lookups(checkout: string, folder: string, count: number): Promise<void> {
  const [word, other] = [`work${Math.floor(count / 2)}`, `work${Math.floor(count / 3)}`];
  const found: LookedUp[] = [];
  const [greps, ctags, inHead]: [Ran[], Ran[], Ran[]] = [[], [], []];
  for (let i = 0; i < rounds; i++) {
    const scratch = join(folder, `scratch${i}`);
    mkdirSync(scratch);
    const search = ['grep', '-n', '-w', word];
    greps.push(await ran(['git', ...search], checkout));
    inHead.push(await ran(['git', ...search, 'HEAD'], checkout));
    ctags.push(await ran(['ctags', '-R', '-f', join(scratch, 'tags'), '.'], checkout));
    const script = join(root, 'bench', 'lookup.ts');
    const looked = await ran(
      [process.execPath, '--expose-gc', script, checkout, scratch, word, other],
      checkout,
    );
    found.push(JSON.parse(looked.stdout) as LookedUp);
  }
  const of = <T>(all: readonly T[], value: (one: T) => number) => median(all.map(value));
  const [first, grep, tags] = [
    of(found, f => f.firstMs),
    of(greps, g => g.ms),
    of(ctags, c => c.ms),
  ];
  const beside = `${(first / grep).toFixed(1)} x git grep, ${(first / tags).toFixed(2)} x ctags -R`;
  row(
    `first definition, ${count} files`,
    `${first.toFixed(0)} ms (${beside})`,
    'goal 2 x git grep',
  );
  row(
    '  git grep in files; in HEAD; ctags -R',
    `${grep.toFixed(0)} ms; ${of(inHead, g => g.ms).toFixed(0)} ms; ${tags.toFixed(0)} ms`,
    '',
  );
  const later = [of(found, f => f.againMs), of(found, f => f.editedMs)];
  const laterMs = later.map(ms => `${ms.toFixed(1)} ms`).join('; ');
  row('  the same again; after an edit', laterMs, 'goal 5 ms');
  const others = [of(found, f => f.otherMs), of(found, f => f.usesMs)];
  const othersMs = others.map(ms => `${ms.toFixed(0)} ms`).join('; ');
  row('  another name; references', othersMs, '');
  const listed = [of(found, f => f.listingMs), of(found, f => f.listedMs)];
  const listedMs = listed.map(ms => `${ms.toFixed(1)} ms`).join('; ');
  row('  until the words are listed; another name then', listedMs, 'goal 5 ms');
  row(
    '  memory: index; peak; git grep; ctags',
    [
      of(found, f => f.indexMiB),
      of(found, f => f.peakMiB),
      of(inHead, g => g.peakMiB),
      of(ctags, c => c.peakMiB),
    ]
      .map(mib => `${mib.toFixed(1)} MiB`)
      .join('; '),
    'goal 300 MiB at the peak',
  );
}

interface Ran {
  readonly ms: number;
  readonly stdout: string;
  /** Maximum memory of the process, as the kernel reports it. */
  readonly peakMiB: number;
}

function ran([program = '', ...args]: readonly string[], cwd: string): Promise<Ran> {
  const from = performance.now();
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  let [stdout, peak] = ['', 0];
  const timer = setInterval(() => {
    peak = Math.max(peak, highWaterMiB(child.pid ?? 0));
  }, 2);
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8');
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => {
      clearInterval(timer);
      if (code === 0) resolve({ ms: performance.now() - from, stdout, peakMiB: peak });
      else reject(new Error(`${program} failed`));
    });
  });
}

function highWaterMiB(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0; // the process has ended meanwhile
  }
}

/** Writes modules of about a kilobyte, each with a function that the next one calls. */
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
  // packed as after a clone or a fetch: a search opens a file for each loose object
  git('repack', '-adq', '--window=0');
}
