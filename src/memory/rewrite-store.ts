/** The one way to change a shelf: read, work, compare-and-swap; again on what others wrote meanwhile. */
import { PhotonError } from '../codes.ts';
import type { VersionedStore } from '../workspace/stores/versioned-store.ts';

export interface Retry {
  /** From 0 to 1; spreads writers that met. */
  readonly random: () => number;
  /** Throws when there is no time for a further try. */
  readonly wait: (ms: number) => Promise<void>;
  /** Most tries; 40 when it is not given. */
  readonly tries?: number;
}

export interface Work<T> {
  /** Empty: nothing is to be written. */
  readonly edits: ReadonlyMap<string, string | null>;
  readonly message: string;
  readonly value: T;
}

export interface Rewritten<T> {
  readonly value: T;
  readonly tries: number;
  readonly written: boolean;
}

/** A try takes GitHub a second or two: waits of that size let writers that met part. */
const firstWaitMs = 200;
const longestWaitMs = 8_000;

/**
 * `work` is asked again for every state, so that it merges with what is there now and loses nothing
 * of it. The wait between two tries doubles, up to eight seconds, times a random part.
 * @throws PhotonError `MEMORY_CONFLICT` after the last try, and what the shelf throws.
 */
export async function rewriteStore<T>(
  store: VersionedStore,
  work: (files: ReadonlyMap<string, string>) => Work<T>,
  { random, wait, tries: max = 40 }: Retry,
): Promise<Rewritten<T>> {
  for (let tries = 1; tries <= max; tries++) {
    const state = await store.read();
    const { edits, message, value } = work(state.files);
    if (edits.size === 0) return { value, tries, written: false };
    if ((await store.swap(state, edits, message)) === 'done')
      return { value, tries, written: true };
    const longest = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(tries - 1, 10));
    await wait(Math.ceil(longest * (0.2 + 0.8 * random())));
  }
  throw new PhotonError('MEMORY_CONFLICT', `${store.place}: ${max} tries met other writers.`);
}
