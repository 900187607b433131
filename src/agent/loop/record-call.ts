/** Enters one call of a round in the ledger: the decision, what it touched, and its evidence. */
import { digest } from '../../base/digest.ts';
import { mayDeliver, type Phase } from '../../base/outcome.ts';
import type { Decision } from '../../guard/decide.ts';
import type { EvidenceEvent } from '../../guard/evidence.ts';
import { traceCase } from '../../guard/facts.ts';
import { type Operation, statePart } from '../../ledger/ledger.ts';
import { describeReading } from '../../model/reading/read-call.ts';
import type { ToolCall } from '../../model/turn.ts';
import { tools } from '../../tools/index.ts';
import type { ToolResult } from '../../tools/tool.ts';
import { verify } from '../../tools/verify.ts';
import type { CallJudgement } from './judge-call.ts';
import type { LoopRun } from './loop-state.ts';

/** Stands for a reply that asks for no tool. */
export const noCall: ToolCall = { id: '', name: '', argumentsText: '' };

/** Maximum characters of an error log that the session keeps. */
const maxErrorLog = 4_000;

/** Only the first line: further lines are excerpts of files, which the ledger does not hold. */
function firstLine(evidence: string): string {
  return (evidence.split('\n')[0] ?? '').slice(0, 500);
}

interface CallRecord {
  readonly judged: CallJudgement;
  readonly started: number;
  readonly decision: Decision;
  /** Phase that the run is in after the call. */
  readonly phase: Phase;
  /** Phase that the call entered before that one. */
  readonly via?: Phase | undefined;
  readonly result: ToolResult | undefined;
  /** What a refusal shows. */
  readonly shown?: readonly EvidenceEvent[] | undefined;
}

/** The name for the ledger: of a tool of this run, or one that Photon has. Any other is a word of the model. */
const nameTool = (name: string, exists: boolean) =>
  exists || tools.some(t => t.name === name) ? name : 'unknown';

/** Enters a call in the ledger, and in the store of the session. */
export function recordCall(run: LoopRun, call: ToolCall, about: CallRecord): void {
  const { judged, decision, result } = about;
  const refused = decision.state === 'pass' ? undefined : decision;
  const partial = decision.state === 'degrade' && result?.partial === true;
  const counts = decision.state === 'pass' || partial;
  const events: readonly EvidenceEvent[] = counts ? (result?.events ?? []) : (about.shown ?? []);
  const sent = call.sentText === undefined ? undefined : describeReading(call, call.sentText);
  if (refused?.code === 'ARGUMENTS_INVALID') run.state.misfits += 1;
  const operation: Operation = {
    phase: about.phase,
    via: about.via,
    tool: call === noCall ? 'none' : nameTool(call.name, judged.case.call.exists),
    decision: decision.state,
    severity: decision.state === 'abstain' ? decision.severity : undefined,
    code: refused?.code ?? null,
    section: refused?.section,
    evidence: refused === undefined ? undefined : firstLine(refused.evidence),
    paths: (result?.paths ?? judged.paths).map(p => p.slice(0, 300)).slice(0, 100),
    arguments: digest(call.argumentsText),
    content: result === undefined ? '' : digest(result.text),
    durationMs: run.request.input.now() - about.started,
    facts:
      result?.facts === undefined && !partial && sent === undefined
        ? undefined
        : { ...result?.facts, ...sent, partial: partial || undefined },
    call: traceCase(judged.case, events),
    states: statePart('verification', result?.verification?.verification, run.loop.context.scrub),
  };
  run.request.ledger.append(operation);
  const { scrub, session } = run.loop.context;
  const errorLog = scrub(result?.errorLog ?? '').slice(-maxErrorLog);
  const evidence = scrub(operation.evidence ?? '');
  run.loop.store?.record({ ...operation, evidence }, session.drain(), {
    startedAt: about.started,
    endedAt: run.request.input.now(),
    errorLog: errorLog === '' ? undefined : errorLog,
  });
}

/** How a call that the rules let pass went, for the log: it can still find that the tests do not prove the patch. */
export function describeResult(
  name: string,
  { verification, failed }: ToolResult,
  about: { readonly by: 'photon' | undefined; readonly failed: boolean },
): string {
  if (about.failed) return `degrade, ${failed}`;
  if (about.by !== undefined) return 'pass, looked up by Photon';
  if (verification === undefined) return name === verify.name ? 'the project as it is' : 'pass';
  if (verification.verification.passed) return 'pass';
  const { code } = verification;
  return mayDeliver(verification.verification)
    ? `nothing is shown, ${code}`
    : `the tests ${code === 'VERIFY_FAILED' ? 'fail' : 'do not prove it'}, ${code}`;
}
