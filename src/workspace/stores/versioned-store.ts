/** A shelf: a few named texts that change together, by compare-and-swap. */

export interface StoreState {
  /** Names the state: what `swap` compares. Empty while nothing was ever there. */
  readonly seen: string;
  /** Texts by path. */
  readonly files: ReadonlyMap<string, string>;
}

export interface VersionedStore {
  /** Where it is, for people. */
  readonly place: string;
  read(): Promise<StoreState>;
  /**
   * Puts texts in and takes some out (null), all of it or nothing; `moved` when the state is no
   * longer the one that was seen.
   */
  swap(
    seen: StoreState,
    edits: ReadonlyMap<string, string | null>,
    message: string,
  ): Promise<'done' | 'moved'>;
}
