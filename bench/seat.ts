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

/** What the letter refuses of a look: one without a plan, of a path that no look gave, without a thought, or of too much. */
const orderRules = ['PLAN_MISSING', 'NAVIGATION_MISSING', 'THINK_MISSING', 'READ_UNBOUNDED'];

/** Rounds with a refusal that the rules chosen alone made: without them, the model would not have needed the round. */
function countLost({ results }: Probed, rules: readonly string[]): number {
  const codes = results.map(texts => texts.flatMap(text => /^([A-Z_]+): /.exec(text)?.[1] ?? []));
  return codes.filter(all => all.length > 0 && all.every(code => rules.includes(code))).length;
}

/** Prints a row for each conversation, the sums, and the rounds without and with the letter of the constitution. */
export async function benchSeat(): Promise<void> {
  const all: Figures[] = [];
  const lost = { default: 0, letter: 0 };
  let plain = 0;
  for (const name of recordingNames) {
    const given = readRecording(name);
    const played = await playRecording(given);
    const figures = measure(given, played);
    lost.default += countLost(played, ['PLAN_MISSING']);
    lost.letter += countLost(await playRecording(given, true), orderRules);
    if (figures.ends !== given.ends) throw new Error(`${name}: ${figures.ends}`);
    row(name, figuresLine([figures]), `plain ${given.plainRounds}`);
    all.push(figures);
    plain += given.plainRounds;
  }
  const ratio = `${(sum(all.map(f => f.rounds)) / plain).toFixed(2)} x plain, goal 1.1 x`;
  row('all', figuresLine(all), ratio);
  // the replies are those of a model under the default: each round that the letter refuses comes on top
  const lenient = sum(all.map(f => f.rounds)) - lost.default;
  for (const [name, more] of Object.entries({ lenient: 0, ...lost }))
    row(name, `${lenient + more} rounds`, `${((lenient + more) / lenient).toFixed(2)} x lenient`);
}
