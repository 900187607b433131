/** The conversation so far, within bounds: what is worth least gives way to notes first. Pure. */
import { sum } from '../../base/plural.ts';
import { bytesOfImage, type Message, type OpaqueParts, type ToolCall } from '../../model/turn.ts';
import type { CachePrices } from '../limits/budget.ts';

/** How much a result is still worth; the lowest is dropped first. */
export const worthLevels = ['superseded', 'ordinary', 'planned', 'held'] as const;
export type Worth = (typeof worthLevels)[number];

/** One result, or the answer to a reply without calls. */
export interface ShownAnswer {
  /** Number of the answer in the conversation. */
  readonly number: number;
  readonly message: Message;
  /** True when a note stands for the text. */
  readonly dropped: boolean;
}

/** One reply and its results. */
export interface ShownRound {
  readonly reply: Extract<Message, { role: 'assistant' }>;
  readonly answers: readonly ShownAnswer[];
}

export interface CompactOptions {
  readonly maxBytes: number;
  readonly cachePrices: CachePrices;
  /** Rounds that the run will at least go on, as far as one can tell. */
  readonly expectedRounds: number;
  readonly judgeWorth: (answer: ShownAnswer) => Worth;
  /** The latest answer that counts on this one, or its own number. */
  readonly lastUse: (answer: ShownAnswer) => number;
  /** The note that stands for the text of a result. */
  readonly getNote: (answer: ShownAnswer) => string;
}

/** Fewest superseded bytes that make the conversation smaller before its bound is reached. */
const maxSuperseded = 4000;

/** Bytes below which a bound is small: what is in it counts for more than the prefix that a cache keeps. */
const smallBound = 48_000;
const shareLeft = (maxBytes: number) => (maxBytes < smallBound ? 3 / 4 : 1 / 2);

/**
 * The rounds within the bound, or undefined when they need no change. Notes replace the results that are worth
 * least, the oldest first; if that is not enough, whole rounds go. The size goes down to half each time (to three quarters
 * of a small bound), so that a prompt cache keeps its prefix for long. The last round gives way only if nothing else does.
 */
export function compactRounds(
  rounds: readonly ShownRound[],
  options: CompactOptions,
): readonly ShownRound[] | undefined {
  const { maxBytes, judgeWorth } = options;
  const size = sum(rounds.map(roundBytes));
  const isUseless = (round: ShownRound) =>
    round.answers.every(a => a.dropped || judgeWorth(a) === 'superseded');
  const superseded = rounds.slice(0, -1).filter(isUseless);
  const useless = sum(superseded.map(roundBytes));
  const isEarly = size <= maxBytes;
  // the last round is new to the cache in any case
  const written = sum(rounds.slice(0, -1).map(textBytes));
  const leftOut = sum(superseded.map(textBytes));
  if (isEarly && (useless < maxSuperseded || !pays(leftOut, written - leftOut, options)))
    return undefined;
  const target = isEarly ? size - useless : maxBytes * shareLeft(maxBytes);
  const first = isEarly ? rounds : withNotes(rounds, { ...options, bytes: size - target });
  const left = withoutRounds(first, { maxBytes, target, isUseless });
  const excess = sum(left.map(roundBytes)) - maxBytes;
  return excess > 0 ? shortenLast(left, excess, options) : left;
}

/**
 * Whether leaving out bytes costs less than it saves: the endpoint writes what is kept into its cache again, and the
 * rounds to come do not read what is left out.
 */
function pays(
  leftOut: number,
  rewritten: number,
  { cachePrices: { read, write }, expectedRounds }: CompactOptions,
): boolean {
  return leftOut * read * expectedRounds >= rewritten * (write - read);
}

/** Replaces results of all rounds but the last with notes, until so many bytes are saved. */
function withNotes(
  rounds: readonly ShownRound[],
  options: CompactOptions & { readonly bytes: number },
): readonly ShownRound[] {
  const { judgeWorth, lastUse } = options;
  const candidates = rounds
    .slice(0, -1)
    .flatMap(r => r.answers)
    .filter(isDroppable)
    .map(answer => ({
      answer,
      worth: worthLevels.indexOf(judgeWorth(answer)),
      use: lastUse(answer),
    }))
    .sort((a, b) => a.worth - b.worth || a.use - b.use);
  return replaceByNotes(
    rounds,
    candidates.map(c => c.answer),
    options,
  );
}

function replaceByNotes(
  rounds: readonly ShownRound[],
  candidates: readonly ShownAnswer[],
  { bytes, getNote }: Pick<CompactOptions, 'getNote'> & { readonly bytes: number },
): readonly ShownRound[] {
  const notes = new Map<number, ShownAnswer>();
  let left = bytes;
  for (const answer of candidates) {
    if (left <= 0) break;
    const noted = {
      ...answer,
      dropped: true,
      message: { ...answer.message, text: getNote(answer) },
    };
    left -= messageBytes(answer.message) - messageBytes(noted.message);
    notes.set(answer.number, noted);
  }
  return rounds.map(r => ({ ...r, answers: r.answers.map(a => notes.get(a.number) ?? a) }));
}

/** A note would be hardly shorter than a short result. */
function isDroppable({ message, dropped }: ShownAnswer): boolean {
  return message.role === 'tool' && !dropped && Buffer.byteLength(message.text) >= 300;
}

/** Leaves out rounds without a use, and then the oldest ones, but never the last. */
function withoutRounds(
  rounds: readonly ShownRound[],
  {
    maxBytes,
    target,
    isUseless,
  }: {
    readonly maxBytes: number;
    readonly target: number;
    readonly isUseless: (round: ShownRound) => boolean;
  },
): readonly ShownRound[] {
  let bytes = sum(rounds.map(roundBytes));
  const gone = new Set<ShownRound>();
  const leaveOut = (round: ShownRound) => {
    gone.add(round);
    bytes -= roundBytes(round);
  };
  const earlier = rounds.slice(0, -1);
  for (const round of earlier.filter(isUseless)) if (bytes > target) leaveOut(round);
  if (bytes > maxBytes)
    for (const round of earlier) if (bytes > target && !gone.has(round)) leaveOut(round);
  return rounds.filter(r => !gone.has(r));
}

/** The results of the last round do not fit by themselves: the longest become notes. */
function shortenLast(
  rounds: readonly ShownRound[],
  bytes: number,
  options: CompactOptions,
): readonly ShownRound[] {
  const longest = (rounds.at(-1)?.answers ?? [])
    .filter(isDroppable)
    .sort((a, b) => messageBytes(b.message) - messageBytes(a.message));
  return replaceByNotes(rounds, longest, { ...options, bytes });
}

function roundBytes({ reply, answers }: ShownRound): number {
  return conversationBytes([reply, ...answers.map(a => a.message)]);
}

/** The same of its texts alone, rather too few: what the model reads of it. */
const textBytes = (round: ShownRound) =>
  roundBytes(round) - 160 * (1 + round.reply.calls.length + round.answers.length);

/** Bytes of messages in a request, rather too many than too few. */
export function conversationBytes(messages: readonly Message[]): number {
  return sum(messages.map(messageBytes));
}

function messageBytes(m: Message): number {
  const parts = m.role === 'assistant' ? callBytes(m.calls) + opaqueBytes(m.opaque) : 0;
  const images = m.role === 'user' ? m.images : undefined;
  const shown = images === undefined ? 0 : images.list.length * bytesOfImage + images.intro.length;
  return jsonBytes(m.text) + 80 + parts + shown;
}

function opaqueBytes(opaque: OpaqueParts | undefined): number {
  return opaque === undefined ? 0 : Buffer.byteLength(JSON.stringify(opaque));
}

function callBytes(calls: readonly ToolCall[]): number {
  return sum(calls.map(c => jsonBytes(c.argumentsText) + c.name.length + c.id.length + 80));
}

/** A text as a request holds it, with its escapes. */
function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}
