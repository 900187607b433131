/** Finds whole words in a tree of many files without a search of all of them, once a thread has listed their words. */
import { Worker } from 'node:worker_threads';
import { once } from '../../base/once.ts';
import type { GitPlace } from './git-process.ts';
import type { GrepAnswer, GrepQuery } from './grep-query.ts';
import { isPlain, searchesPath, searchFiles } from './search-files.ts';
import type { IndexData, IndexReply } from './word-index-worker.ts';
import { filesHolding, listedWordsOf, type Segment } from './word-segments.ts';

export interface WordIndexOptions {
  readonly place: GitPlace;
  /** The tree that it answers for. */
  readonly tree: string;
  readonly entriesOf: (
    tree: string,
  ) => Promise<ReadonlyMap<string, { readonly mode: string; readonly oid: string }>>;
  readonly read: (id: string) => Promise<Buffer | null>;
  /** With fewer files, `git grep` takes less than a tenth of a second. */
  readonly minFiles?: number;
}

export interface WordIndex {
  /**
   * The answer of `git grep` to a query for whole words in the tree. Null for another query, for words that are in many
   * files, and before the words are listed, which the first query starts.
   */
  search(query: GrepQuery): Promise<GrepAnswer | null>;
  close(): void;
}

/** With more files than this that hold the words, one search by git takes less time than to read them. */
const maxRead = 300;
/** Most words that are listed, each once for each file: 64 MiB. */
const maxWords = 16_777_216;

interface Listed {
  readonly paths: readonly string[];
  readonly ids: readonly string[];
  readonly segments: readonly Segment[];
}

/** Opens the index. Nothing is listed before the first query for words. */
export function openWordIndex(options: WordIndexOptions): WordIndex {
  const { tree, entriesOf, read, minFiles = 2_000 } = options;
  let listed: Listed | null = null;
  let stop = () => {};
  const list = once(async () => {
    const files = [...(await entriesOf(tree))].filter(([, { mode }]) => mode.startsWith('100'));
    if (files.length < minFiles) return;
    const ids = files.map(([, { oid }]) => oid);
    const segments = await listWords({ place: options.place, ids }, end => {
      stop = end;
    });
    if (segments !== null) listed = { paths: files.map(([path]) => path), ids, segments };
  });
  return {
    search: async query => {
      if (query.tree !== tree || query.word !== true || query.ignoreCase || !isPlain(query))
        return null;
      const words = query.patterns.map(listedWordsOf);
      if (words.some(w => w.length === 0)) return null;
      list().catch(() => {}); // without it, git searches
      if (listed === null) return null;
      const { paths, ids, segments } = listed;
      const positions = new Set(words.flatMap(w => filesHolding(segments, w)));
      const found = [...positions]
        .sort((a, b) => a - b)
        .map(at => ({ path: paths[at] ?? '', id: ids[at] ?? '' }))
        .filter(({ path }) => searchesPath(query, path));
      if (found.length > maxRead) return null;
      const texts = await Promise.all(found.map(({ id }) => read(id)));
      const files = found.map(({ path }, i) => ({ path, bytes: texts[i] ?? new Uint8Array() }));
      return searchFiles(files, query);
    },
    close: () => stop(),
  };
}

/** The words of these files by a thread; null when there are too many, or the thread ended early. */
async function listWords(
  workerData: IndexData,
  started: (stop: () => void) => void,
): Promise<readonly Segment[] | null> {
  // loaded here, since a small repository needs none of it
  const { wordWorkerUrl } = await import('./word-index-worker.ts');
  const worker = new Worker(new URL(wordWorkerUrl), { workerData, env: {}, execArgv: [] });
  const { promise, resolve } = Promise.withResolvers<readonly Segment[] | null>();
  const segments: Segment[] = [];
  let words = 0;
  worker.on('message', (reply: IndexReply) => {
    if (reply === 'complete') return resolve(segments);
    segments.push(reply);
    words += reply.words.length;
    if (words > maxWords) void worker.terminate();
  });
  worker.on('error', () => {}); // its exit counts
  worker.on('exit', () => resolve(null));
  worker.unref();
  started(() => void worker.terminate());
  return promise;
}
