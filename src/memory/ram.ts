/** Holds the key-value memory of one run, within its limits. */

interface RamBounds {
  readonly entries: number;
  /** Keys and values together, UTF-8. */
  readonly bytes: number;
}

/** Keys are plain names, so that a log can name a change without its value. */
export const ramKey = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

const measureEntry = (key: string, value: string) =>
  Buffer.byteLength(key) + Buffer.byteLength(value);

/** The memory of one run, which ends with the run. */
export class Ram {
  readonly #bounds: RamBounds;
  readonly #entries = new Map<string, string>();
  #bytes = 0;

  constructor(bounds: RamBounds) {
    this.#bounds = bounds;
  }

  /** Entries in the order in which their keys were added. */
  entries(): readonly (readonly [string, string])[] {
    return [...this.#entries];
  }

  size(): RamBounds {
    return { entries: this.#entries.size, bytes: this.#bytes };
  }

  /** True when more than four fifths of a limit are used. */
  nearlyFull(): boolean {
    const { entries, bytes } = this.#bounds;
    return this.#entries.size * 5 > entries * 4 || this.#bytes * 5 > bytes * 4;
  }

  /** Why an entry cannot be stored; undefined when it can. */
  refusal(key: string, value: string): string | undefined {
    const { entries, bytes } = this.#bounds;
    const count = this.#entries.size + (this.#entries.has(key) ? 0 : 1);
    const size = this.#bytes - this.#sizeAt(key) + measureEntry(key, value);
    if (count > entries) return `RAM_LIMIT: ${count} entries; at most ${entries} are allowed`;
    return size > bytes ? `RAM_LIMIT: ${size} bytes; at most ${bytes} are allowed` : undefined;
  }

  /** Stores an entry that `refusal` accepts; replaces the value of an existing key. */
  add(key: string, value: string): 'added' | 'updated' {
    const known = this.#entries.has(key);
    this.#bytes += measureEntry(key, value) - this.#sizeAt(key);
    this.#entries.set(key, value);
    return known ? 'updated' : 'added';
  }

  delete(key: string): boolean {
    this.#bytes -= this.#sizeAt(key);
    return this.#entries.delete(key);
  }

  #sizeAt(key: string): number {
    const value = this.#entries.get(key);
    return value === undefined ? 0 : measureEntry(key, value);
  }
}
