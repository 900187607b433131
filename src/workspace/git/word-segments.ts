/** A compact list of the words of many files: 4 bytes for each word of a file, and no text. Pure. */

/** Most files of one segment. */
export const maxSegmentFiles = 8_192;
const fileBits = 13;
const buckets = 4_096;
const bucketShift = 20;

/** The words of at most `maxSegmentFiles` files that follow each other. */
export interface Segment {
  /** Position of its first file. */
  readonly first: number;
  /** Where the words of each bucket begin in `words`, and at last where the last ones end. */
  readonly starts: Uint32Array<ArrayBuffer>;
  /** By the upper 12 bits of the hash: the next 19 bits, and the number of the file in the segment. */
  readonly words: Uint32Array<ArrayBuffer>;
}

const hashStart = 0x811c9dc5;
const isWordByte = Uint8Array.from({ length: 256 }, (_, byte) =>
  /\w/.test(String.fromCharCode(byte)) && byte < 128 ? 1 : 0,
);

/** The words of a plain pattern that a segment can look up; a file that holds the pattern as whole words holds them all. */
export function listedWordsOf(pattern: string): readonly number[] {
  const words = pattern.match(/[A-Za-z_]\w+/g) ?? [];
  // a part of a word that begins with a digit is no word of a segment
  return words.filter(word => new RegExp(`(?<!\\w)${word}(?!\\w)`).test(pattern)).map(hashOf);
}

function hashOf(word: string): number {
  let hash = hashStart;
  for (const byte of Buffer.from(word, 'latin1')) hash = Math.imul(hash ^ byte, 0x01000193);
  return mixed(hash);
}

/** Spreads FNV-1a, whose upper bits differ too little for short words. */
function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (once ^ (once >>> 13)) >>> 0;
}

/** Reads the words of one file after the other, in pieces of any size, and joins them to segments. */
export class SegmentBuilder {
  readonly #give: (segment: Segment) => void;
  #first = 0;
  #files = 0;
  #hashes = new Uint32Array(1 << 16);
  #owners = new Uint16Array(1 << 16);
  #count = 0;
  /** The words of the current file, and the state of a word that the next piece may continue. */
  readonly #seen = new Set<number>();
  #hash = hashStart;
  #length = 0;
  #isNumber = false;

  /** @param give gets each segment when it is full, and at the end. */
  constructor(give: (segment: Segment) => void) {
    this.#give = give;
  }

  /** Adds a piece of the current file. */
  add(bytes: Uint8Array): void {
    let [hash, length, isNumber] = [this.#hash, this.#length, this.#isNumber];
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i] ?? 0;
      if (isWordByte[byte] === 1) {
        if (length === 0) isNumber = byte < 58;
        hash = Math.imul(hash ^ byte, 0x01000193);
        length += 1;
      } else if (length > 0) {
        if (length > 1 && !isNumber) this.#seen.add(mixed(hash));
        hash = hashStart;
        length = 0;
      }
    }
    [this.#hash, this.#length, this.#isNumber] = [hash, length, isNumber];
  }

  /** Ends the current file. @param isText false: it has no words. */
  endFile(isText: boolean): void {
    if (this.#length > 1 && !this.#isNumber) this.#seen.add(mixed(this.#hash));
    if (isText) for (const hash of this.#seen) this.#push(hash);
    this.#seen.clear();
    this.#hash = hashStart;
    this.#length = 0;
    this.#files += 1;
    if (this.#files === maxSegmentFiles) this.end();
  }

  /** Gives what is left. */
  end(): void {
    if (this.#files === 0) return;
    const starts = new Uint32Array(buckets + 1);
    for (let i = 0; i < this.#count; i++) {
      const bucket = (this.#hashes[i] ?? 0) >>> bucketShift;
      starts[bucket + 1] = (starts[bucket + 1] ?? 0) + 1;
    }
    for (let i = 0; i < buckets; i++) starts[i + 1] = (starts[i + 1] ?? 0) + (starts[i] ?? 0);
    const words = new Uint32Array(this.#count);
    const next = starts.slice();
    for (let i = 0; i < this.#count; i++) {
      const hash = this.#hashes[i] ?? 0;
      const at = next[hash >>> bucketShift] ?? 0;
      next[hash >>> bucketShift] = at + 1;
      words[at] = (restOf(hash) | (this.#owners[i] ?? 0)) >>> 0;
    }
    this.#give({ first: this.#first, starts, words });
    this.#first += this.#files;
    this.#files = 0;
    this.#count = 0;
  }

  #push(hash: number): void {
    if (this.#count === this.#hashes.length) {
      const [hashes, owners] = [this.#hashes, this.#owners];
      this.#hashes = new Uint32Array(this.#count * 2);
      this.#hashes.set(hashes);
      this.#owners = new Uint16Array(this.#count * 2);
      this.#owners.set(owners);
    }
    this.#hashes[this.#count] = hash;
    this.#owners[this.#count] = this.#files;
    this.#count += 1;
  }
}

/** The bits of a hash that the bucket does not tell, above those of the file; one bit is lost. */
function restOf(hash: number): number {
  return (((hash << (32 - bucketShift)) >>> 0) >>> fileBits) << fileBits;
}

/** The positions of the files that may hold all of these words, in order: seldom one that does not. */
export function filesHolding(
  segments: readonly Segment[],
  words: readonly number[],
): readonly number[] {
  return segments.flatMap(segment => {
    const holding = words.map(word => filesOf(segment, word));
    return [...holding.reduce((a, b) => a.intersection(b))].sort((a, b) => a - b);
  });
}

function filesOf({ first, starts, words }: Segment, hash: number): ReadonlySet<number> {
  const bucket = hash >>> bucketShift;
  const rest = restOf(hash) >>> 0;
  const found = new Set<number>();
  for (let i = starts[bucket] ?? 0; i < (starts[bucket + 1] ?? 0); i++) {
    const word = words[i] ?? 0;
    if ((word & ~(maxSegmentFiles - 1)) >>> 0 === rest)
      found.add(first + (word & (maxSegmentFiles - 1)));
  }
  return found;
}
