/** An evaluation as text for a terminal. Pure. */
import { joinDefined, plural, seconds, sum } from '../base/plural.ts';
import type { Evaluation, TaskResult } from './result.ts';
import {
  compareEvaluations,
  type EvaluationComparison,
  type EvaluationSummary,
  summariseEvaluation,
} from './summary.ts';

/** A share as a whole number of percent. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** An amount of money, with as many digits as it needs. */
export function money(amount: number): string {
  return amount === 0 || amount >= 1 ? amount.toFixed(2) : amount.toPrecision(2);
}

export function configurationLine({ configuration }: Evaluation): string {
  return Object.entries(configuration)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

export function taskLine({ id, title, verdict, code, note }: TaskResult): string {
  const why = verdict === 'solved' ? '' : `  ${code}${note === '' ? '' : `: ${oneLine(note)}`}`;
  return `${shortTask(id).padEnd(12)}  ${verdict.padEnd(9)}  ${oneLine(title).slice(0, 60)}${why}`;
}

/** A task by its name, or by the first letters of its commit. */
export function shortTask(id: string): string {
  return /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(id) ? id.slice(0, 12) : id;
}

/** The report of an evaluation, and the comparison with another one if there is one. */
export function renderEvaluation(evaluation: Evaluation, against: Evaluation | undefined): string {
  const { seed, looked, found, results } = evaluation;
  const summary = summariseEvaluation(evaluation);
  const of = looked === 0 ? '' : ` of ${plural(looked, 'commit')}`;
  return joinDefined([
    configurationLine(evaluation),
    `${plural(results.length, 'task')} played, ${found} found${of}, seed ${seed}`,
    '',
    ...results.map(taskLine),
    results.length > 0 && '',
    ...countLines(summary),
    ...figureLines(summary),
    ...otherLines(evaluation),
    against !== undefined && [
      '',
      ...comparisonLines(against, compareEvaluations(evaluation, against)),
    ],
    '',
  ]);
}

function countLines({ tasks, verdicts }: EvaluationSummary): readonly string[] {
  if (tasks === 0) return [];
  return verdicts.map(
    ({ verdict, count, share, low, high }) =>
      `${verdict.padEnd(9)} ${String(count).padStart(4)}  ${percent(share).padStart(5)}  (95 %: ${percent(low)} to ${percent(high)})`,
  );
}

function figureLines(summary: EvaluationSummary): readonly string[] {
  const { tasks, cost, medianMs, medianRounds, refusals, unconfined } = summary;
  if (tasks === 0) return [];
  const named = refusals.map(r => `${r.rule} ${r.count} in ${plural(r.tasks, 'task')}`);
  return [
    '',
    `cost       ${cost === null ? 'not known: a model has no price' : money(cost)}`,
    `median     ${seconds(medianMs)} and ${medianRounds} rounds for each task`,
    `refusals   ${named.join(', ') || 'none'}`,
    unconfined === 0
      ? undefined
      : `warning    in ${plural(unconfined, 'task')}, the sandbox did not keep commands from other files of this machine, so a run could have read the fix`,
  ].filter(item => item !== undefined);
}

function otherLines({ dropped, open }: Evaluation): readonly string[] {
  const reasons = Object.entries(dropped).sort(([, a], [, b]) => b - a);
  const counts = new Map<string, number>();
  for (const { reason } of open) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [
    reasons.length === 0
      ? undefined
      : ['', `no tasks: ${plural(sum(reasons.map(([, n]) => n)), 'commit')}`],
    ...reasons.slice(0, 20).map(([reason, n]) => `${String(n).padStart(6)}  ${reason}`),
    open.length === 0 ? undefined : ['', `not played: ${plural(open.length, 'task')}`],
    ...[...counts].map(([reason, n]) => `${String(n).padStart(6)}  ${oneLine(reason)}`),
  ]
    .flat()
    .filter(item => item !== undefined);
}

function comparisonLines(against: Evaluation, compared: EvaluationComparison): readonly string[] {
  const { tasks, bothSolved, onlyFirst, onlySecond, neither } = compared;
  const named = (ids: readonly string[]) =>
    ids.length === 0 ? '' : `  ${ids.slice(0, 10).map(shortTask).join(' ')}`;
  return [
    `against    ${configurationLine(against)}`,
    `           ${plural(tasks, 'task')} that both played`,
    `both       ${bothSolved}`,
    `only this  ${onlyFirst.length}${named(onlyFirst)}`,
    `only that  ${onlySecond.length}${named(onlySecond)}`,
    `neither    ${neither}`,
  ];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
