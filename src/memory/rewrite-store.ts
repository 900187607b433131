/** Changes a versioned store by compare-and-swap, and retries on top of concurrent changes. */
import { PhotonError } from '../base/codes.ts';
import type { VersionedStore } from '../workspace/stores/versioned-store.ts';

export interface Retry {
  /** Returns 0 to 1; spreads concurrent writers. */
  readonly random: () => number;
  /** Throws when there is no time for another try. */
  readonly wait: (ms: number) => Promise<void>;
  /** Maximum tries. Default: 40. */
  readonly tries?: number;
}

export interface Work<T> {
  /** Edits by path; empty when nothing must be written. */
  readonly edits: ReadonlyMap<string, string | undefined>;
  readonly message: string;
  readonly value: T;
}

export interface RewriteResult<T> {
  readonly value: T;
  readonly tries: number;
  readonly written: boolean;
}

/** A try takes GitHub a second or two, so waits of that size separate concurrent writers. */
const firstWaitMs = 200;
const longestWaitMs = 8_000;

/**
 * Calls `work` again for every new state, so that no concurrent change is lost. The wait between tries
 * doubles up to eight seconds, times a random factor.
 * @throws PhotonError `MEMORY_CONFLICT` after the last try, and what the store throws.
 */
export async function rewriteStore<T>(
  store: VersionedStore,
  work: (files: ReadonlyMap<string, string>) => Work<T>,
  { random, wait, tries: max = 40 }: Retry,
): Promise<RewriteResult<T>> {
  for (let tries = 1; tries <= max; tries++) {
    const state = await store.read();
    const { edits, message, value } = work(state.files);
    if (edits.size === 0) return { value, tries, written: false };
    if ((await store.swap(state, edits, message)) === 'done')
      return { value, tries, written: true };
    const longest = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(tries - 1, 10));
    await wait(Math.ceil(longest * (0.2 + 0.8 * random())));
  }
  throw new PhotonError(
    'MEMORY_CONFLICT',
    `${store.place}: all ${max} tries conflicted with other writers.`,
  );
}
