/** The outcome of a run, derived from its ledger: the run and its audit use the same function. Pure. */
import {
  addDiscarded,
  addUsage,
  computeCost,
  costOfModel,
  nothingSpent,
} from '../agent/limits/budget.ts';
import { hashJson } from '../base/digest.ts';
import { type DecisionCount, type Outcome, phases } from '../base/outcome.ts';
import { cutEnd } from '../base/plural.ts';
import { asObject } from '../base/schema-issue.ts';
import { type LedgerEntry, withoutTexts } from '../ledger/ledger.ts';
import type { KnownPrice } from '../settings/models.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Fields that no entry states: they are read from several entries, or are the entry itself. */
const read = {
  start: ['constitution', 'prompt', 'base'],
  always: ['schema', 'runId', 'usage', 'decisions', 'degraded', 'instructions', 'ledger'],
  end: ['status', 'code', 'phase', 'durationMs'],
} as const;

/** The outcome without the texts that the ledger holds no more of than their sha256. */
export function deriveOutcome(entries: readonly LedgerEntry[]): Fields {
  const find = (tool: string) => entries.findLast(e => e.tool === tool);
  const [first, last, end] = [entries[0], entries.at(-1), find('run.end')];
  const stated: Fields = Object.assign({}, ...entries.map(e => e.states ?? {}));
  const instructions = entries.filter(e => e.tool === 'instructions.read');
  return {
    ...stated,
    ...readStart(first, find('reapply')),
    schema: 1,
    runId: first?.run,
    task: { ...asObject(stated.task), startedBy: first?.caller },
    status: end?.facts?.status,
    code: end?.code,
    phase: phases.find(phase => phase === end?.facts?.at),
    durationMs: end?.durationMs,
    usage: readUsage(entries, stated as Partial<Outcome>),
    decisions: countDecisions(entries),
    degraded: isDegraded(entries),
    instructions:
      instructions.length === 0
        ? undefined
        : instructions.map(e => ({ path: e.paths[0], sha256: e.facts?.sha256 })),
    notes: entries.flatMap(e => e.states?.notes ?? []),
    ledger: { entries: entries.length, head: last?.hash },
  };
}

/** What the last entry of a run states: each field that no earlier entry backs. */
export function remainingFields(written: Fields, entries: readonly LedgerEntry[]): Fields {
  const backed = new Set<string>([...read.always, ...read.end, ...listStated(entries)]);
  const open = Object.entries(written).filter(([name]) => !backed.has(name));
  return withoutTexts(Object.fromEntries(open));
}

/** Names of the fields that these entries back. */
export function listStated(entries: readonly LedgerEntry[]): readonly string[] {
  const started = entries[0]?.tool === 'run.start' ? read.start : [];
  return [...started, ...entries.flatMap(e => Object.keys(e.states ?? {}))];
}

/** Policy, prompt and base, which the first entry holds as facts. */
function readStart(first: LedgerEntry | undefined, moved: LedgerEntry | undefined): Fields {
  if (first?.tool !== 'run.start') return {};
  const {
    version,
    constitution: sha256,
    base,
    merged,
    ref,
    prompt,
    profileVersion,
    ...own
  } = first.facts ?? {};
  const { agent, protocol, parser, memory } = own;
  return {
    constitution: { version, sha256, rules: hashJson(first.policy) },
    prompt: { agent, version: profileVersion, sha256: prompt, protocol, parser, memory },
    base: { ref, commit: moved?.facts?.base ?? base, merged },
  };
}

/** Entries of replies; those of a second look are no rounds of the run. */
const paid: ReadonlySet<string> = new Set(['model.turn', 'model.discarded', 'look.turn']);

/** What the replies used, by the prices that the settings state. */
export function readUsage(
  entries: readonly LedgerEntry[],
  { model = '', settings }: Pick<Partial<Outcome>, 'model' | 'settings'>,
): Outcome['usage'] {
  const prices = asObject(settings?.modelPrices?.value) as Readonly<Record<string, KnownPrice>>;
  const spent = entries
    .filter(e => paid.has(e.tool))
    .reduce((sum, { tool, facts = {} }) => {
      const count = (name: string) => Number(facts[name] ?? 0);
      const [inputTokens, outputTokens] = [count('inputTokens'), count('outputTokens')];
      const [cachedTokens, cacheWriteTokens] = [count('cachedTokens'), count('cacheWriteTokens')];
      const usage = { inputTokens, outputTokens, cachedTokens, cacheWriteTokens };
      const reply = { usage, model: String(facts.model ?? model) };
      return tool === 'model.turn' ? addUsage(sum, reply, 0) : addDiscarded(sum, reply);
    }, nothingSpent);
  return {
    rounds: spent.rounds,
    // without those that Photon made itself
    toolCalls: entries.filter(
      ({ tool, call, facts }) =>
        call && tool !== 'none' && facts?.by !== 'photon' && facts?.madeFor === undefined,
    ).length,
    inputTokens: spent.inputTokens,
    cachedTokens: spent.models.reduce((sum, m) => sum + m.cachedTokens, 0),
    outputTokens: spent.outputTokens,
    cost: computeCost(prices, spent),
    models: spent.models.map(used => {
      const cost = costOfModel(prices, used);
      const priceFrom = prices[used.model]?.from;
      return cost === undefined || !priceFrom ? used : { ...used, cost, priceFrom };
    }),
  };
}

/** True if a tool failed after the guard had allowed its call. */
export function isDegraded(entries: readonly LedgerEntry[]): boolean {
  return entries.some(e => e.call !== undefined && e.decision === 'degrade');
}

/** Each decision other than a pass, and how often the run made it. */
export function countDecisions(entries: readonly LedgerEntry[]): readonly DecisionCount[] {
  const counts = new Map<string, DecisionCount>();
  for (const { call, decision, severity, code, section = '', tool } of entries) {
    if (call === undefined || decision === 'pass' || code === null) continue;
    const name = /^[a-z_]{1,40}$/.test(tool) ? tool : 'unknown';
    const key = `${code} ${name}`;
    const count = (counts.get(key)?.count ?? 0) + 1;
    counts.set(key, { code, state: decision, severity, section, tool: name, count });
  }
  return [...counts.values()];
}

/** Each leaf in which two values differ, with what both say: `model: "a", and "b" in the ledger`. */
export function listDifferences(
  stated: unknown,
  backed: unknown,
  where: string,
): readonly string[] {
  const [own, other] = [listParts(stated), listParts(backed)];
  if (own === undefined || other === undefined || Array.isArray(stated) !== Array.isArray(backed))
    return stated === backed ? [] : [`: ${show(stated)}, and ${show(backed)} ${where}`];
  return [...new Set([...own.keys(), ...other.keys()])].flatMap(name =>
    listDifferences(own.get(name), other.get(name), where).map(
      found => `${name}${found.startsWith(':') ? '' : '.'}${found}`,
    ),
  );
}

/** The fields of an object or list; undefined for any other value. */
function listParts(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map(Object.entries(value));
}

function show(value: unknown): string {
  return cutEnd(JSON.stringify(value) ?? 'nothing', 80);
}
