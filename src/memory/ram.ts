/** Key-value memory of one run: free to create, change and delete within its bounds (constitution §7.1). */

export interface RamBounds {
  readonly entries: number;
  /** Keys and values together, UTF-8. */
  readonly bytes: number;
}

/** Keys are names, so that a change can be told without telling what is kept. */
export const ramKey = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

const sizeOf = (key: string, value: string) => Buffer.byteLength(key) + Buffer.byteLength(value);

/** The memory of one run; gone with it. */
export class Ram {
  readonly #bounds: RamBounds;
  readonly #entries = new Map<string, string>();
  #bytes = 0;

  constructor(bounds: RamBounds) {
    this.#bounds = bounds;
  }

  /** Entries in the order in which their keys came. */
  entries(): readonly (readonly [string, string])[] {
    return [...this.#entries];
  }

  size(): RamBounds {
    return { entries: this.#entries.size, bytes: this.#bytes };
  }

  /** True when four fifths of a bound are used: time to shrink. */
  nearlyFull(): boolean {
    const { entries, bytes } = this.#bounds;
    return this.#entries.size * 5 > entries * 4 || this.#bytes * 5 > bytes * 4;
  }

  /** Why an entry cannot be kept; null when it can. */
  refusal(key: string, value: string): string | null {
    const { entries, bytes } = this.#bounds;
    const count = this.#entries.size + (this.#entries.has(key) ? 0 : 1);
    const size = this.#bytes - this.#sizeAt(key) + sizeOf(key, value);
    if (count > entries) return `RAM_LIMIT: ${count} entries; the memory holds ${entries}`;
    return size > bytes ? `RAM_LIMIT: ${size} bytes; the memory holds ${bytes}` : null;
  }

  /** Keeps an entry that `refusal` lets in; a known key gets the new value. */
  add(key: string, value: string): 'added' | 'updated' {
    const known = this.#entries.has(key);
    this.#bytes += sizeOf(key, value) - this.#sizeAt(key);
    this.#entries.set(key, value);
    return known ? 'updated' : 'added';
  }

  delete(key: string): boolean {
    this.#bytes -= this.#sizeAt(key);
    return this.#entries.delete(key);
  }

  #sizeAt(key: string): number {
    const value = this.#entries.get(key);
    return value === undefined ? 0 : sizeOf(key, value);
  }
}
