/** One process that looks a word up by the index as a run does, and prints what that took as JSON. */
import { lookupSource } from '../src/agent/context/navigation.ts';
import { findDefinitions, lookUpReferences } from '../src/navigation/lookup.ts';
import { openSymbols } from '../src/navigation/symbols.ts';
import { findPrograms } from '../src/process/programs.ts';
import { openGit } from '../src/workspace/git/git.ts';
import { openSession } from '../src/workspace/session/session.ts';
import { openShipped } from '../src/workspace/trusted/shipped.ts';
import { root } from '../test/harness.ts';

export interface LookedUp {
  readonly firstMs: number;
  readonly againMs: number;
  readonly usesMs: number;
  readonly indexMiB: number;
  readonly peakMiB: number;
}

const [checkout = '', scratch = '', word = ''] = process.argv.slice(2);

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
const asked = { name: word, from: '' };
const firstMs = await timed(() => findDefinitions(source, asked));
const againMs = await timed(() => findDefinitions(source, asked));
const usesMs = await timed(() => lookUpReferences(source, asked));
const places = (await findDefinitions(source, asked)).places.length;
if (places !== 1) throw new Error(`${places} definitions of ${word}`);
global.gc?.();
const answer: LookedUp = {
  ...{ firstMs, againMs, usesMs },
  indexMiB: Math.max(0, process.memoryUsage().heapUsed - heap) / 1024 / 1024,
  peakMiB: process.resourceUsage().maxRSS / 1024,
};
git.close();
process.stdout.write(JSON.stringify(answer));
