/** Compares the ledgers of a recorded run and its replay: the first difference in a decision or a change. Pure. */
import { describeState } from '../base/outcome.ts';
import { readEntry } from '../ledger/ledger-entry.ts';

export interface RunDifference {
  /** Number of the call, from 1; 0 for the inputs of the run. */
  readonly call: number;
  readonly what: string;
  readonly recorded: string;
  readonly replayed: string;
}

type Facts = Readonly<Record<string, string>>;

/** Times, durations and command output may differ; policy, decisions, patches and the outcome may not. */
export function compareRuns(recorded: string, replayed: string): RunDifference | undefined {
  const [before, after] = [listFacts(recorded), listFacts(replayed)];
  const length = Math.max(before.length, after.length);
  for (let call = 0; call < length; call++) {
    const [a, b] = [before[call] ?? {}, after[call] ?? {}];
    for (const what of new Set([...Object.keys(a), ...Object.keys(b)]))
      if (a[what] !== b[what])
        return { call, what, recorded: a[what] ?? 'nothing', replayed: b[what] ?? 'nothing' };
  }
  return undefined;
}

/** The inputs of the run, then each call, then how it ended. */
function listFacts(ledger: string): readonly Facts[] {
  const entries = ledger
    .split('\n')
    .filter(l => l !== '')
    .flatMap((line, i) => {
      const entry = readEntry(line, i + 1);
      return 'message' in entry ? [] : [entry];
    });
  const start = entries.find(e => e.tool === 'run.start')?.facts ?? {};
  const end = entries.find(e => e.tool === 'run.end');
  const calls = entries.flatMap((e): Facts[] => {
    if (e.call === undefined) return [];
    const patch = e.call.events.flatMap(v => (v.kind === 'patched' ? [v.patchDigest] : []));
    return [
      {
        tool: e.tool,
        arguments: e.arguments,
        decision: `${describeState(e.decision, e.severity)} ${e.code ?? ''}`.trim(),
        phase: e.phase,
        patch: patch.join(),
      },
    ];
  });
  const ending = { status: String(end?.facts?.status ?? ''), code: String(end?.code ?? '') };
  const { base = '', constitution = '', prompt = '' } = start;
  return [
    { base: String(base), constitution: String(constitution), prompt: String(prompt) },
    ...calls,
    ending,
  ];
}
