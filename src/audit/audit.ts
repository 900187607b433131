/** Replays a ledger: checks its seals, its phases against the transition table, and its decisions against the rules. Pure. */
import { findRoute, lastPhase } from '../agent/limits/phases.ts';
import { describeState, hasPatch, type Phase, statuses } from '../base/outcome.ts';
import { collectWords, sum } from '../base/plural.ts';
import { pathClasses } from '../ecosystems/tests/path-classes.ts';
import { decide, policyInForce } from '../guard/decide.ts';
import {
  addEvidence,
  addRefusal,
  beginRound,
  countCall,
  countLines,
  type Evidence,
  initialEvidence,
  isProven,
  withSkills,
} from '../guard/evidence.ts';
import { type Constitution, looserThan } from '../guard/policy/constitution.ts';
import { checkSeal, type Entry, type Finding, readEntry, report } from '../ledger/ledger-entry.ts';
import { tools } from '../tools/index.ts';
import { findBackwards, findContradiction, findForeign, findOtherPaths } from './check-record.ts';

export interface AuditReport {
  readonly finding: Finding | undefined;
  /** The number of entries found correct. */
  readonly entries: number;
  readonly run: string;
  readonly head: string;
  readonly decisions: Readonly<Record<string, number>>;
  /** The phases of the run in order, one item for each change. */
  readonly phases: readonly Phase[];
}

interface AuditOptions {
  /** The constitution that ships with Photon; a run may only follow it or a stricter one. */
  readonly shipped: Constitution;
  /** False while the run is still in progress and has no last entry yet. */
  readonly complete: boolean;
  /** A hash that one of the entries must have, as named by a pull request or an outcome. */
  readonly head?: string;
}

interface Replay {
  evidence: Evidence | undefined;
  policy: Constitution | undefined;
  violations: number;
  /** The line numbers in all events. */
  lines: number;
  counts: { corrections: number; violations: number; failed: number };
  /** True after a refusal in this round: a round is one correction. */
  corrected: boolean;
  /** The reason why only `run.end` may follow; empty while the run goes on. */
  over: string;
  ended: boolean;
  /** The phase that the run ended in. */
  last: Phase;
  /** True after the patch was applied to a newer base on which it does not verify. */
  unproven: boolean;
}

/** Replays a ledger up to the first finding. */
export function auditLedger(text: string, options: AuditOptions): AuditReport {
  const lines = text.split('\n').filter((l, i, all) => l !== '' || i < all.length - 1);
  const replay: Replay = {
    evidence: undefined,
    policy: undefined,
    violations: 0,
    lines: 0,
    counts: { corrections: 0, violations: 0, failed: 0 },
    corrected: false,
    over: '',
    ended: false,
    last: 'INPUT',
    unproven: false,
  };
  const decisions: Record<string, number> = {};
  const seen: Phase[] = ['INPUT'];
  let finding: Finding | undefined;
  let headSeen = options.head === undefined;
  const entries: Entry[] = [];
  for (const line of lines) {
    const read = readEntry(line, entries.length + 1);
    finding =
      'message' in read
        ? read
        : (checkSeal(read, entries.at(-1)) ??
          checkLines(read, replay) ??
          checkEntry(read, replay, options) ??
          checkStates(read, entries));
    if (finding !== undefined) break;
    const entry: Entry = read as Entry;
    entries.push(entry);
    headSeen ||= entry.hash === options.head;
    decisions[entry.decision] = (decisions[entry.decision] ?? 0) + 1;
    for (const phase of [entry.via ?? entry.phase, entry.phase])
      if (seen.at(-1) !== phase) seen.push(phase);
  }
  finding ??=
    checkEnd(entries.length, headSeen, options.complete && !replay.ended) ??
    checkWhole(entries, replay);
  const { run = '', hash: head = '' } = entries.at(-1) ?? {};
  return { finding, entries: entries.length, run, head, decisions, phases: seen };
}

/** Most line numbers that a run holds. Two numbers state a range, however long: a forged one must not fill the memory. */
const maxLines = 10_000_000;

function checkLines({ seq, call, forgotten = [] }: Entry, replay: Replay): Finding | undefined {
  replay.lines += sum([...(call?.events ?? []), ...forgotten].map(countLines));
  const isTooLong = (lines: number) => replay.lines + lines > maxLines;
  // a rule lists all lines of a file that a call deletes or writes anew
  const writes = call?.claims.some(claim => claim.kind === 'write') === true;
  return isTooLong(0) || (writes && call?.facts.some(f => isTooLong(f.lines)))
    ? report(seq, 'LEDGER_UNREADABLE', `/call: more than ${maxLines} lines`)
    : undefined;
}

function checkStates(entry: Entry, earlier: readonly Entry[]): Finding | undefined {
  const backwards = findBackwards(entry, earlier.at(-1));
  if (backwards !== undefined) return report(entry.seq, 'LEDGER_TIME', backwards);
  const foreign = findForeign(entry, earlier);
  return foreign === undefined ? undefined : report(entry.seq, 'LEDGER_STATED', foreign);
}

/** A run that has ended, and what its entries state of it. */
function checkWhole(entries: readonly Entry[], replay: Replay): Finding | undefined {
  const end = entries.find(e => e.tool === 'run.end');
  if (end?.states === undefined) return undefined;
  const other = findContradiction(entries, replay.evidence);
  return other === undefined ? undefined : report(end.seq, 'LEDGER_STATED', other);
}

function checkEnd(entries: number, headSeen: boolean, unfinished: boolean): Finding | undefined {
  if (!headSeen) return report(entries, 'LEDGER_SEAL', 'no entry has the given hash');
  return unfinished
    ? report(entries + 1, 'LEDGER_TRUNCATED', 'the ledger has no run.end')
    : undefined;
}

/** Entries that a run adds after the call that ended it. */
const mayFollow = /^(run\.(end|note)|memory\.write|network\.use|sandbox\.use|mcp\..*)$/;

function checkEntry(entry: Entry, replay: Replay, options: AuditOptions): Finding | undefined {
  const { seq, tool } = entry;
  if (replay.ended && tool !== 'run.note')
    return report(seq, 'LEDGER_PHASE', 'an entry follows run.end');
  if (tool === 'run.note' && !replay.ended)
    return report(seq, 'LEDGER_PHASE', 'run.note comes before run.end');
  if (replay.over !== '' && !mayFollow.test(tool))
    return report(seq, 'LEDGER_PHASE', `the run should have ended: ${replay.over}`);
  if ((entry.severity !== undefined) !== (entry.decision === 'abstain'))
    return misjudge(entry, `${tool}: exactly an abstain has a severity`);
  if (entry.via !== undefined && entry.call === undefined)
    return report(seq, 'LEDGER_PHASE', 'only a call enters a phase on its way');
  switch (tool) {
    case 'run.start':
      return checkPolicy(entry, replay, options.shipped);
    case 'run.evidence':
      return checkInitialEvidence(entry, replay);
    case 'run.end':
      return checkLast(entry, replay);
    case 'run.note':
      return checkPhase(entry, replay.last);
  }
  const { evidence } = replay;
  if (tellsOnly.has(tool)) return checkPhase(entry, evidence?.phase ?? 'INPUT');
  if (evidence === undefined) return early(entry);
  return (steps.get(tool) ?? checkCall)(entry, replay, evidence);
}

/** Entries that change nothing of what the rules judge by. */
const tellsOnly = collectWords(
  'run.settings run.task memory.read instructions.read words.read model.discarded model.learned look look.turn memory.write network.use sandbox.use mcp.start mcp.cut mcp.refused',
);

type CheckStep = (entry: Entry, replay: Replay, evidence: Evidence) => Finding | undefined;

/** What the engine itself does after the initial evidence; every other entry is a call. */
const steps: ReadonlyMap<string, CheckStep> = new Map([
  ['model.turn', checkTurn],
  ['reapply', checkReapply],
  ['skills.read', checkSkills],
  ['context.fit', checkForgotten],
  ['deliver', checkDelivery],
]);

function checkPolicy(entry: Entry, replay: Replay, shipped: Constitution): Finding | undefined {
  const { seq, policy } = entry;
  if (policy === undefined || seq !== 1)
    return report(seq, 'LEDGER_POLICY', 'run.start must be the first entry and contain the policy');
  const looser = looserThan(policy.constitution, shipped);
  if (looser !== undefined) return report(seq, 'LEDGER_POLICY', looser);
  replay.policy = policy.constitution;
  replay.violations = policy.violations;
  return checkPhase(entry, 'INPUT');
}

function checkInitialEvidence(entry: Entry, replay: Replay): Finding | undefined {
  if (entry.initial === undefined || replay.policy === undefined || replay.evidence !== undefined)
    return report(entry.seq, 'LEDGER_POLICY', 'run.evidence must follow run.start exactly once');
  replay.evidence = initialEvidence(entry.initial);
  return checkPhase(entry, 'INPUT');
}

function checkTurn(entry: Entry, replay: Replay, evidence: Evidence) {
  const { thought, brief, repeated } = entry.facts ?? {};
  const text = thought === true ? 'recorded' : '';
  replay.evidence = beginRound(evidence, text, {
    repeats: repeated === true,
    isBrief: brief === true,
  });
  replay.corrected = false;
  return checkPhase(entry, replay.evidence.phase);
}

/** Skills that were read again between two rounds; only local runs do this. */
function checkSkills(entry: Entry, replay: Replay, evidence: Evidence) {
  if (entry.skills === undefined) return report(entry.seq, 'LEDGER_UNREADABLE', '/skills: missing');
  replay.evidence = withSkills(evidence, entry.skills);
  return checkPhase(entry, replay.evidence.phase);
}

/** Lines that left the conversation before a request. Such an entry can only take evidence away. */
function checkForgotten(entry: Entry, replay: Replay, evidence: Evidence) {
  const events = entry.forgotten ?? [];
  if (events.some(e => e.kind !== 'forgotten'))
    return misjudge(entry, 'the engine added evidence without a call');
  replay.evidence = events.reduce(addEvidence, evidence);
  return checkPhase(entry, replay.evidence.phase);
}

function checkDelivery(entry: Entry, replay: Replay, evidence: Evidence) {
  const { patchDigest, verificationWaived } = evidence;
  const isUnproven = !(isProven(evidence) || verificationWaived) || replay.unproven;
  return patchDigest === '' || isUnproven
    ? misjudge(entry, 'a patch was delivered without a passed verification')
    : checkCommit(entry, evidence);
}

const checkCommit = (entry: Entry, { phase }: Evidence) =>
  checkPhase(entry, phase === 'COMMIT' ? 'COMMIT' : undefined);

const misjudge = ({ seq }: Entry, message: string) => report(seq, 'LEDGER_DECISION', message);

/** A verified patch was applied to a newer base; it must be verified again before it is delivered. */
function checkReapply(entry: Entry, replay: Replay, evidence: Evidence) {
  const { passed, waived } = entry.facts ?? {};
  replay.unproven = !(passed === true || (waived === true && evidence.verificationWaived));
  return checkCommit(entry, evidence);
}

function checkLast(entry: Entry, replay: Replay): Finding | undefined {
  const status = statuses.find(s => s === entry.facts?.status);
  if (status === undefined)
    return report(entry.seq, 'LEDGER_UNREADABLE', '/facts/status: not a status of a run');
  replay.ended = true;
  const phase = replay.evidence?.phase ?? 'INPUT';
  const complete = hasPatch(status) || status === 'answered';
  const early = status === 'no_change' || status === 'undone';
  if ((complete || early) && phase !== 'COMMIT' && !(early && phase === 'INPUT'))
    return report(entry.seq, 'LEDGER_PHASE', `a run cannot end ${status} in phase ${phase}`);
  if (complete && replay.over !== '')
    return report(entry.seq, 'LEDGER_PHASE', `${status}, though ${replay.over}`);
  if (status === 'answered' && replay.evidence?.patchDigest !== '')
    return misjudge(entry, 'answered, though there is a patch');
  replay.last = lastPhase(status, phase);
  return checkPhase(entry, replay.last);
}

/** A tool call: the rules must reach the decision that the entry records. */
function checkCall(entry: Entry, replay: Replay, evidence: Evidence): Finding | undefined {
  const { seq, call } = entry;
  const { policy } = replay;
  if (policy === undefined) return early(entry);
  if (call === undefined) return report(seq, 'LEDGER_UNREADABLE', '/call: missing');
  const tool = call.exists ? tools.find(t => t.name === entry.tool) : undefined;
  const name = entry.tool === 'none' ? '' : entry.tool;
  const { claims } = call;
  const facts = new Map(call.facts.map(f => [f.path, f]));
  // the tool of an MCP server, which this list lacks, enters a phase when it writes
  const step = tool?.step ?? (claims.some(c => c.kind === 'write') ? 'patch' : undefined);
  const route = findRoute(step, { claims, evidence, facts });
  const next = route === undefined ? undefined : (route.at(-1) ?? evidence.phase);
  const inForce = policyInForce(policy, evidence, claims);
  const judgedCall = { ...call, tool: name, nextPhase: next };
  const decision = decide({ call: judgedCall, evidence, policy: inForce, facts, pathClasses });
  const ran = entry.decision === 'pass' || entry.decision === 'degrade';
  const recorded = ran ? 'pass' : `${describeState(entry.decision, entry.severity)} ${entry.code}`;
  const judged =
    decision.state === 'pass'
      ? 'pass'
      : `${describeState(decision.state, decision.severity)} ${decision.code}`;
  if (recorded !== judged)
    return misjudge(entry, `${entry.tool}: the entry says ${recorded}, the rules say ${judged}`);
  // a tool can fail and give a result all the same, such as a lookup whose language server crashed
  const partial = entry.decision === 'degrade' && entry.facts?.partial === true;
  const counts = entry.decision === 'pass' || partial;
  // a refused edit shows the lines that it may mean
  const shows = entry.code === 'STALE_READ' && call.events.every(e => e.kind === 'shown');
  if (!counts && !shows && call.events.length > 0)
    return misjudge(entry, 'a call that did not pass added evidence');
  const counted =
    decision.state === 'pass'
      ? countCall(evidence, entry.tool)
      : addRefusal(evidence, { code: decision.code, tool: name });
  const seen = call.events.reduce(addEvidence, counted);
  replay.evidence = counts && next !== undefined ? { ...seen, phase: next } : seen;
  countAnswer(entry, replay, inForce);
  const others = findOtherPaths(entry, replay.evidence);
  if (others !== undefined) return report(seq, 'LEDGER_STATED', others);
  const via = counts && route !== undefined && route.length > 1 ? route[0] : undefined;
  if (entry.via !== via)
    return report(seq, 'LEDGER_PHASE', `${entry.tool} enters ${via ?? 'no phase'} on its way`);
  return checkPhase(entry, counts ? next : evidence.phase);
}

function countAnswer(entry: Entry, replay: Replay, policy: Constitution): void {
  const { counts } = replay;
  if (entry.severity === 'abort' && ++counts.violations > replay.violations)
    replay.over = `${counts.violations} violations`;
  const isFirst = entry.severity === 'correct' && !replay.corrected;
  replay.corrected ||= isFirst;
  if (isFirst && ++counts.corrections > policy.limits.corrections)
    replay.over = `${counts.corrections} rounds with refusals`;
  const failed = entry.call?.events.some(e => e.kind === 'verified' && !e.passed) === true;
  if (failed && replay.evidence?.patchDigest !== '' && ++counts.failed > policy.limits.repairs)
    replay.over = `${counts.failed} failed verifications`;
}

function early(entry: Entry): Finding {
  return report(entry.seq, 'LEDGER_PHASE', `${entry.tool} comes before run.evidence`);
}

function checkPhase({ seq, tool, phase }: Entry, expected: Phase | undefined) {
  const message = `${tool} is in phase ${phase}; the transition table gives ${expected ?? 'none'}`;
  return phase === expected ? undefined : report(seq, 'LEDGER_PHASE', message);
}
