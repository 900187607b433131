/** A ledger judged again: its seals, its phases by the transition table, its decisions by the rules. Pure. */

import { lastPhase, nextPhase, stepIn } from '../agent/limits/phases.ts';
import { type Constitution, looserThan } from '../guard/constitution.ts';
import { decide } from '../guard/decide.ts';
import {
  addEvidence,
  beginRound,
  countCall,
  type Evidence,
  initialEvidence,
  withSkills,
} from '../guard/evidence.ts';
import { policyInForce } from '../guard/policy-in-force.ts';
import { caseOfTrace, eventOfTrace } from '../guard/trace.ts';
import { checkSeal, type Entry, type Finding, found, readEntry } from '../ledger/ledger-entry.ts';
import { type Phase, statuses } from '../outcome.ts';
import { tools } from '../tools/index.ts';

export interface AuditReport {
  readonly finding: Finding | null;
  /** Entries that were read and found right. */
  readonly entries: number;
  readonly run: string;
  readonly head: string;
  readonly decisions: Readonly<Record<string, number>>;
  /** The phases of the run in their order, each change once. */
  readonly phases: readonly Phase[];
}

export interface AuditOptions {
  /** The law that Photon ships: a run may follow a stricter one only. */
  readonly shipped: Constitution;
  /** False while the run still goes on: there is no last entry yet. */
  readonly complete: boolean;
  /** Hash that some entry must have, as a pull request or an outcome names it. */
  readonly head?: string;
}

/** Where the replay stands. */
interface Replay {
  evidence: Evidence | null;
  policy: Constitution | null;
  violations: number;
  counts: { corrections: number; violations: number; failed: number };
  /** Why nothing but the end may follow; empty while the run goes on. */
  over: string;
  ended: boolean;
  /** True after the patch was applied to a newer base that it does not verify on. */
  unproven: boolean;
}

/** Replays a ledger. Entries after the first finding are not looked at. */
export function auditLedger(text: string, options: AuditOptions): AuditReport {
  const lines = text.split('\n').filter((l, i, all) => l !== '' || i < all.length - 1);
  const replay: Replay = {
    ...{ evidence: null, policy: null, violations: 0, over: '', ended: false, unproven: false },
    counts: { corrections: 0, violations: 0, failed: 0 },
  };
  const decisions: Record<string, number> = {};
  const seen: Phase[] = ['INPUT'];
  let previous: Entry | null = null;
  let finding: Finding | null = null;
  let headSeen = options.head === undefined;
  let entries = 0;
  for (const line of lines) {
    const read = readEntry(line, entries + 1);
    finding =
      'message' in read ? read : (checkSeal(read, previous) ?? checkEntry(read, replay, options));
    if (finding !== null) break;
    const entry: Entry = read as Entry;
    entries += 1;
    previous = entry;
    headSeen ||= entry.hash === options.head;
    decisions[entry.decision] = (decisions[entry.decision] ?? 0) + 1;
    if (seen.at(-1) !== entry.phase) seen.push(entry.phase);
  }
  finding ??= checkEnd(entries, headSeen, options.complete && !replay.ended);
  const about = { run: previous?.run ?? '', head: previous?.hash ?? '' };
  return { finding, entries, ...about, decisions, phases: seen };
}

function checkEnd(entries: number, headSeen: boolean, unfinished: boolean): Finding | null {
  if (!headSeen) return found(entries, 'LEDGER_SEAL', 'no entry has the hash that was given');
  return unfinished
    ? found(entries + 1, 'LEDGER_TRUNCATED', 'there is no run.end behind the last entry')
    : null;
}

function checkEntry(entry: Entry, replay: Replay, options: AuditOptions): Finding | null {
  const { seq, tool } = entry;
  if (replay.ended) return found(seq, 'LEDGER_PHASE', 'the run had ended before');
  if (replay.over !== '' && tool !== 'run.end' && tool !== 'memory.write')
    return found(seq, 'LEDGER_PHASE', `the run should have ended: ${replay.over}`);
  switch (tool) {
    case 'run.start':
      return checkPolicy(entry, replay, options.shipped);
    case 'run.ground':
      return checkGround(entry, replay);
    case 'model.turn':
      return checkTurn(entry, replay);
    case 'reapply':
      return checkReapply(entry, replay);
    case 'skills.read':
      return checkSkills(entry, replay);
    case 'deliver':
      return checkDelivery(entry, replay);
    case 'memory.read':
    case 'memory.write':
      return phaseOf(entry, replay.evidence?.phase ?? 'INPUT');
    case 'run.end':
      return checkLast(entry, replay);
    default:
      return checkCall(entry, replay);
  }
}

function checkPolicy(entry: Entry, replay: Replay, shipped: Constitution): Finding | null {
  const { seq, policy } = entry;
  if (policy === undefined || seq !== 1)
    return found(seq, 'LEDGER_POLICY', 'run.start is the first entry and holds the law');
  const looser = looserThan(policy.constitution, shipped);
  if (looser !== null) return found(seq, 'LEDGER_POLICY', looser);
  replay.policy = policy.constitution;
  replay.violations = policy.violations;
  return phaseOf(entry, 'INPUT');
}

function checkGround(entry: Entry, replay: Replay): Finding | null {
  if (entry.ground === undefined || replay.policy === null || replay.evidence !== null)
    return found(entry.seq, 'LEDGER_POLICY', 'run.ground follows run.start, once');
  replay.evidence = initialEvidence(entry.ground);
  return phaseOf(entry, 'INPUT');
}

function checkTurn(entry: Entry, replay: Replay): Finding | null {
  if (replay.evidence === null) return early(entry);
  replay.evidence = beginRound(replay.evidence, entry.facts?.thought === true ? 'said' : '');
  return phaseOf(entry, replay.evidence.phase);
}

/** Skills that were read again between two rounds (local runs only). */
function checkSkills(entry: Entry, replay: Replay): Finding | null {
  if (replay.evidence === null) return early(entry);
  if (entry.skills === undefined)
    return found(entry.seq, 'LEDGER_UNREADABLE', '/skills: they must be there');
  replay.evidence = withSkills(replay.evidence, entry.skills);
  return phaseOf(entry, replay.evidence.phase);
}

function checkDelivery(entry: Entry, replay: Replay): Finding | null {
  const { evidence } = replay;
  if (evidence === null) return early(entry);
  const { verified, patchDigest, verificationWaived } = evidence;
  const proven = verified?.passed === true && verified.patchDigest === patchDigest;
  if (patchDigest === '' || !(proven || verificationWaived) || replay.unproven)
    return found(entry.seq, 'LEDGER_DECISION', 'a patch was delivered that no verification proves');
  return phaseOf(entry, evidence.phase === 'COMMIT' ? 'COMMIT' : null);
}

/** A patch that was proven is applied to a newer base; only where it is proven again may it leave. */
function checkReapply(entry: Entry, replay: Replay): Finding | null {
  if (replay.evidence === null) return early(entry);
  const { passed, waived } = entry.facts ?? {};
  replay.unproven = !(passed === true || (waived === true && replay.evidence.verificationWaived));
  return phaseOf(entry, replay.evidence.phase === 'COMMIT' ? 'COMMIT' : null);
}

function checkLast(entry: Entry, replay: Replay): Finding | null {
  const status = statuses.find(s => s === entry.facts?.status);
  if (status === undefined)
    return found(entry.seq, 'LEDGER_UNREADABLE', '/facts/status: is not one of the six statuses');
  replay.ended = true;
  const stands = replay.evidence?.phase ?? 'INPUT';
  const may = {
    committed: stands === 'COMMIT',
    no_change: stands === 'COMMIT' || stands === 'INPUT',
  };
  if (status in may && !may[status as keyof typeof may])
    return found(entry.seq, 'LEDGER_PHASE', `a run cannot end ${status} in phase ${stands}`);
  if (status === 'committed' && replay.over !== '')
    return found(entry.seq, 'LEDGER_PHASE', `committed, though ${replay.over}`);
  return phaseOf(entry, lastPhase(status, stands));
}

/** A call: what the rules say of it now is what the entry says they said. */
function checkCall(entry: Entry, replay: Replay): Finding | null {
  const { seq, call } = entry;
  const { evidence, policy } = replay;
  if (evidence === null || policy === null) return early(entry);
  if (call === undefined) return found(seq, 'LEDGER_UNREADABLE', '/call: a call must be there');
  const tool = tools.find(t => t.name === entry.tool);
  const name = entry.tool === 'none' ? '' : entry.tool;
  const next =
    tool === undefined ? evidence.phase : nextPhase(evidence.phase, stepIn(evidence, tool.step));
  const bare = caseOfTrace(call, { tool: name, nextPhase: next }, { evidence, policy });
  const inForce = policyInForce(policy, evidence, bare.call.claims);
  const decision = decide({ ...bare, policy: inForce });
  const ran = entry.decision === 'pass' || entry.decision === 'degrade';
  const said = ran ? 'pass' : `${entry.decision} ${entry.code}`;
  const judged = decision.state === 'pass' ? 'pass' : `${decision.state} ${decision.code}`;
  if (said !== judged)
    return found(
      seq,
      'LEDGER_DECISION',
      `${entry.tool}: the entry says ${said}, the rules say ${judged}`,
    );
  const passed = entry.decision === 'pass';
  if (!passed && call.events.length > 0)
    return found(seq, 'LEDGER_DECISION', 'a call that did not pass brought evidence');
  const counted = ran ? countCall(evidence, entry.tool) : evidence;
  const seen = call.events.map(eventOfTrace).reduce(addEvidence, counted);
  replay.evidence = passed && next !== null ? { ...seen, phase: next } : seen;
  countAnswer(entry, replay, inForce);
  return phaseOf(entry, passed ? next : evidence.phase);
}

function countAnswer(entry: Entry, replay: Replay, policy: Constitution): void {
  const { counts } = replay;
  if (entry.decision === 'violation' && ++counts.violations > replay.violations)
    replay.over = `${counts.violations} violations`;
  if (entry.decision === 'abstain' && ++counts.corrections > policy.limits.corrections)
    replay.over = `${counts.corrections} refusals`;
  const failed = entry.call?.events.some(e => e.kind === 'verified' && !e.passed) === true;
  if (failed && replay.evidence?.patchDigest !== '' && ++counts.failed > policy.limits.repairs)
    replay.over = `${counts.failed} failed verifications`;
}

function early(entry: Entry): Finding {
  return found(entry.seq, 'LEDGER_PHASE', `${entry.tool} stands before run.ground`);
}

function phaseOf(entry: Entry, expected: Phase | null): Finding | null {
  return entry.phase === expected
    ? null
    : found(
        entry.seq,
        'LEDGER_PHASE',
        `${entry.tool} stands in ${entry.phase}; the table leads to ${expected ?? 'no phase'}`,
      );
}
