/** Judges a patch by what a scanner reports without it and with it. Pure. */
import type { AlertTarget } from '../../base/task.ts';
import type { Alert } from '../reports/sarif.ts';

export interface ScanFacts {
  readonly target: AlertTarget;
  readonly before: readonly Alert[];
  readonly after: readonly Alert[];
  /** Lines of a file without the patch and with it; empty if the file does not exist. */
  readonly linesBefore: readonly string[];
  readonly linesAfter: readonly string[];
}

export interface AlertJudgement {
  /** False if the finding is not among those before: then nothing can be judged. */
  readonly known: boolean;
  readonly gone: boolean;
  /** Findings that were not there before. */
  readonly fresh: readonly Alert[];
}

/**
 * The finding is gone if the scanner no longer reports it and its file has fewer findings of the rule. Nothing is new if no
 * file has more findings of a rule than before. Suppressed findings count: a suppression repairs nothing.
 */
export function judgeAlert(facts: ScanFacts): AlertJudgement {
  const { target, before, after, linesBefore, linesAfter } = facts;
  const known = findTarget(target, before);
  if (known === undefined) return { known: false, gone: false, fresh: [] };
  const own = getScope(known);
  const inScope = (alerts: readonly Alert[]) => alerts.filter(a => getScope(a) === own);
  const wanted = getIdentity(known, linesBefore);
  const times = (alerts: readonly Alert[], lines: readonly string[]) =>
    inScope(alerts).filter(a => getIdentity(a, lines) === wanted).length;
  const gone =
    inScope(after).length < inScope(before).length &&
    times(after, linesAfter) < times(before, linesBefore);
  return { known: true, gone, fresh: findNewAlerts(before, after) };
}

/** The target among the findings of a scan: by its fingerprints, otherwise by its line. */
function findTarget(target: AlertTarget, alerts: readonly Alert[]): Alert | undefined {
  const same = alerts.filter(a => getScope(a) === getScope(target));
  return (
    same.find(a => a.identity !== '' && a.identity === target.identity) ??
    same.find(a => a.startLine === target.startLine && a.message === target.message) ??
    same.find(a => a.startLine === target.startLine)
  );
}

function getScope({ tool, rule, path }: AlertTarget): string {
  return JSON.stringify([tool, rule, path]);
}

/** What a finding keeps when lines above it are added or removed. */
function getIdentity({ identity, message, startLine }: Alert, lines: readonly string[]): string {
  const line = startLine === null ? '' : (lines[startLine - 1] ?? '').trim();
  return identity === '' ? JSON.stringify([message, line]) : identity;
}

function findNewAlerts(before: readonly Alert[], after: readonly Alert[]): readonly Alert[] {
  const earlier = Map.groupBy(before, getScope);
  return [...Map.groupBy(after, getScope)].flatMap(([scope, alerts]) => {
    const known = earlier.get(scope) ?? [];
    const more = alerts.length - known.length;
    if (more <= 0) return [];
    const prints = new Set(known.map(a => a.identity || a.message));
    const unknown = alerts.filter(a => !prints.has(a.identity || a.message));
    return [...unknown, ...alerts.filter(a => !unknown.includes(a))].slice(0, more);
  });
}
