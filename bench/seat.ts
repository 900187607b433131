/**
 * Plays the recorded conversations, which are those of a capable model, mistakes included, through the built command
 * line. Prints for each its rounds beside those of a plain agent with read, edit and bash, what was refused by rule, its
 * input tokens and its bill.
 */
import type { Probed } from '../test/run/probe.ts';
import {
  playRecording,
  type Recording,
  readRecording,
  recordingNames,
} from '../test/run/recorded.ts';
import { commonPrices } from './bill.ts';
import { row } from './figures.ts';
import { computeBill, readMessage, readRequest } from './tokens.ts';

interface Figures {
  readonly rounds: number;
  readonly tokens: number;
  readonly cents: number;
  readonly refused: Readonly<Record<string, number>>;
  /** The code that it ended with. */
  readonly ends: string;
}

/** What a conversation came to. */
function measure(
  { replies }: Recording,
  played: Pick<Probed, 'requests' | 'rounds' | 'refused' | 'outcome'>,
): Figures {
  const { requests, rounds, refused, outcome } = played;
  const said = replies.slice(0, rounds).map(r => readMessage(r.message));
  const { inputTokens, cents } = computeBill(requests.map(readRequest), said, commonPrices);
  return { rounds, tokens: inputTokens, cents, refused, ends: outcome.code };
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

/** Refusals of several conversations, by code. */
function refusalsOf(all: readonly Figures[]): string {
  const counts = new Map<string, number>();
  for (const [code, n] of all.flatMap(f => Object.entries(f.refused)))
    counts.set(code, (counts.get(code) ?? 0) + n);
  return [...counts].map(([code, n]) => `${code} ${n}`).join(', ') || 'nothing refused';
}

const figuresLine = (all: readonly Figures[]) =>
  `${sum(all.map(f => f.rounds))} rounds, ${sum(all.map(f => f.tokens))} tokens, ${sum(all.map(f => f.cents)).toFixed(2)} ¢, ${refusalsOf(all)}`;

/** Prints a row for each conversation, and the sums. */
export async function benchSeat(): Promise<void> {
  const all: Figures[] = [];
  let plain = 0;
  for (const name of recordingNames) {
    const given = readRecording(name);
    const figures = measure(given, await playRecording(given));
    if (figures.ends !== given.ends) throw new Error(`${name}: ${figures.ends}`);
    row(name, figuresLine([figures]), `plain ${given.plainRounds}`);
    all.push(figures);
    plain += given.plainRounds;
  }
  const ratio = `${(sum(all.map(f => f.rounds)) / plain).toFixed(2)} x plain, goal 1.1 x`;
  row('all', figuresLine(all), ratio);
}
