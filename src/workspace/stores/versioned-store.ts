/** The interface of a versioned store: a few named texts that change together, by compare-and-swap. */

export interface StoreState {
  /** Version of the state, which `swap` compares; empty before the first write. */
  readonly seen: string;
  /** Texts by path. */
  readonly files: ReadonlyMap<string, string>;
}

export interface VersionedStore {
  /** Where the store is, for messages to people. */
  readonly place: string;
  read(): Promise<StoreState>;
  /**
   * Writes or removes (undefined) texts: all of them or none. Returns `moved` when the state is no longer the
   * one that was seen.
   */
  swap(
    seen: StoreState,
    edits: ReadonlyMap<string, string | undefined>,
    message: string,
  ): Promise<'done' | 'moved'>;
}
