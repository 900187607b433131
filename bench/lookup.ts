/** Looks a word up in the index as a run does, in its own process, and prints times and memory as JSON. */
import { setTimeout } from 'node:timers/promises';
import { findDefinitions, lookUpReferences } from '../src/navigation/lookup.ts';
import { lookupSource } from '../src/navigation/open-navigation.ts';
import { openSymbols } from '../src/navigation/symbols.ts';
import { findPrograms } from '../src/process/programs.ts';
import { openGit } from '../src/workspace/git/git.ts';
import { openSession } from '../src/workspace/session/session.ts';
import { openShipped } from '../src/workspace/trusted/shipped.ts';
import { root } from '../test/harness.ts';

export interface LookedUp {
  readonly firstMs: number;
  readonly againMs: number;
  /** Another name, which no search was made for before. */
  readonly otherMs: number;
  /** From then until the words were listed, or there was no list after a minute; and a further name after that. */
  readonly listingMs: number;
  readonly listedMs: number;
  /** The first name after an edit of another file. */
  readonly editedMs: number;
  readonly usesMs: number;
  readonly indexMiB: number;
  readonly peakMiB: number;
}

const [checkout = '', scratch = '', word = '', other = ''] = process.argv.slice(2);

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

const git = await openGit(checkout, {
  scratch,
  programs: findPrograms(process.env.PATH ?? '', []),
});
const session = openSession(git);
await session.files();
global.gc?.();
const heap = process.memoryUsage().heapUsed;
const source = lookupSource(session, openSymbols(openShipped(root)));
const query = { name: word, from: '' };
const firstMs = await timed(() => findDefinitions(source, query));
const againMs = await timed(() => findDefinitions(source, query));
const otherMs = await timed(() => findDefinitions(source, { ...query, name: other }));
const further = () => ({ ...query, name: `work${Math.floor(Math.random() * 900)}` });
const listingMs = await timed(async () => {
  const giveUp = performance.now() + 60_000;
  // a search by git takes longer, but for small repositories, which have no list
  while (performance.now() < giveUp && (await timed(() => findDefinitions(source, further()))) > 15)
    await setTimeout(100);
});
const listedMs = await timed(() => findDefinitions(source, further()));
const usesMs = await timed(() => lookUpReferences(source, query));
const [edited = ''] = (await session.files()).map(f => f.path);
const state = { mode: '100644' as const, bytes: Buffer.from('export const edited = 1;\n') };
await session.apply(new Map([[edited, state]]), new Map());
const editedMs = await timed(() => findDefinitions(source, query));
const places = (await findDefinitions(source, query)).places.length;
if (places !== 1) throw new Error(`${places} definitions of ${word}`);
global.gc?.();
const result: LookedUp = {
  firstMs,
  againMs,
  otherMs,
  listingMs,
  listedMs,
  editedMs,
  usesMs,
  indexMiB: Math.max(0, process.memoryUsage().heapUsed - heap) / 1024 / 1024,
  peakMiB: process.resourceUsage().maxRSS / 1024,
};
git.close();
process.stdout.write(JSON.stringify(result));
