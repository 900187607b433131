/** Compares one thread with two worker threads for finding the symbols of many real files. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { openSymbols } from '../src/navigation/symbols.ts';
import { openShipped } from '../src/workspace/trusted/shipped.ts';
import { root } from '../test/harness.ts';
import { row } from './figures.ts';

const counts = [20, 100, 300, 1000];
const rounds = 7;

/** Each runs alone, so that neither benefits from the cache of the other. */
async function parseAll(paths: readonly string[]): Promise<number> {
  const symbols = openSymbols(openShipped(root));
  let found = 0;
  for (const path of paths)
    found += (await symbols.listSymbols(path, readFileSync(path, 'utf8'))).length;
  return found;
}

function byWorker(paths: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: paths });
    worker.on('message', resolve);
    worker.on('error', reject);
  });
}

export async function benchParallel(): Promise<void> {
  const all = ['zod/src', 'openai/src'].flatMap(folder =>
    readdirSync(join(root, 'node_modules', folder), { recursive: true, encoding: 'utf8' })
      .map(name => join(root, 'node_modules', folder, name))
      .filter(path => path.endsWith('.ts') && statSync(path).size < 100_000),
  );
  for (const count of counts) {
    const paths = all.slice(0, count);
    const halves = [0, 1].map(half => paths.filter((_, i) => i % 2 === half));
    const [one, two]: [number[], number[]] = [[], []];
    for (let i = 0; i < rounds; i++) {
      const from = performance.now();
      const alone = await parseAll(paths);
      const between = performance.now();
      const parts = await Promise.all(halves.map(byWorker));
      if (parts.reduce((a, b) => a + b, 0) !== alone)
        throw new Error('the threads found other symbols');
      one.push(between - from);
      two.push(performance.now() - between);
    }
    const [x, y] = [Math.min(...one), Math.min(...two)];
    row(
      `symbols of ${count} files: one thread; two workers`,
      `${x.toFixed(0)} ms; ${y.toFixed(0)} ms`,
      '',
    );
  }
}

if (!isMainThread) parentPort?.postMessage(await parseAll(workerData as string[]));
