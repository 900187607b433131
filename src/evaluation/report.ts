/** An evaluation as text for a terminal, and as one HTML file that loads nothing. Pure. */
import { joinDefined, plural, seconds, sum } from '../base/plural.ts';
import { html, type Markup, renderPage } from '../report/page/html.ts';
import {
  compareEvaluations,
  type Evaluation,
  type EvaluationComparison,
  type EvaluationSummary,
  summariseEvaluation,
  type TaskResult,
  type Verdict,
  type VerdictCount,
} from './result.ts';

/** A share as a whole number of percent. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** An amount of money, with as many digits as it needs. */
export function money(amount: number): string {
  return amount === 0 || amount >= 1 ? amount.toFixed(2) : amount.toPrecision(2);
}

function configurationLine({ configuration }: Evaluation): string {
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

function figureLines(summary: EvaluationSummary) {
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
  ];
}

function otherLines({ dropped, open }: Evaluation) {
  const reasons = Object.entries(dropped).sort(([, a], [, b]) => b - a);
  const groups = Map.groupBy(open, ({ reason }) => reason);
  return [
    reasons.length === 0
      ? undefined
      : ['', `no tasks: ${plural(sum(reasons.map(([, n]) => n)), 'commit')}`],
    ...reasons.slice(0, 20).map(([reason, n]) => `${String(n).padStart(6)}  ${reason}`),
    open.length === 0 ? undefined : ['', `not played: ${plural(open.length, 'task')}`],
    ...[...groups].map(([reason, all]) => `${String(all.length).padStart(6)}  ${oneLine(reason)}`),
  ];
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

const tones: Readonly<Record<Verdict, string>> = {
  solved: 'good',
  wrong: 'bad',
  abstained: 'warn',
  failed: 'bad',
};

const table = (head: readonly string[], rows: readonly Markup[]): Markup =>
  html`<div class="wide"><table><thead><tr>${head.map(h => html`<th scope="col">${h}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`;

export function renderEvaluationPage(
  evaluation: Evaluation,
  against: Evaluation | undefined,
): string {
  const { results, looked, found, seed, open, dropped } = evaluation;
  const body = html`<h1>Evaluation</h1>
<p>${configurationLine(evaluation)}</p>
<p>${plural(results.length, 'task')} played, ${found} found in ${plural(looked, 'commit')}, seed ${seed}</p>
${figures(evaluation)}
${against !== undefined && comparison(evaluation, against)}
<h2>Tasks</h2>
${table(['task', 'result', 'title', 'code', 'rounds', 'time', 'cost'], results.map(taskRow))}
${
  open.length > 0 &&
  html`<h2>Not played</h2>${table(
    ['task', 'reason'],
    open.map(({ id, reason }) => html`<tr><td>${shortTask(id)}</td><td>${reason}</td></tr>`),
  )}`
}
${
  Object.keys(dropped).length > 0 &&
  html`<h2>Commits that are no tasks</h2>${table(
    ['reason', 'commits'],
    Object.entries(dropped).map(
      ([reason, n]) => html`<tr><td>${reason}</td><td class="number">${n}</td></tr>`,
    ),
  )}`
}`;
  return renderPage('Evaluation', body);
}

function figures(evaluation: Evaluation): Markup {
  const { verdicts, cost, medianMs, medianRounds, refusals, unconfined } =
    summariseEvaluation(evaluation);
  const rules = refusals.map(
    ({ rule, count, tasks }) =>
      html`<tr><td>${rule}</td><td class="number">${count}</td><td class="number">${tasks}</td></tr>`,
  );
  return html`${table(['result', 'tasks', 'share', '', '95 % interval'], verdicts.map(countRow))}
<p>Cost: ${cost === null ? 'not known' : money(cost)}. Median of a task: ${seconds(medianMs)}, ${medianRounds} rounds.</p>
${unconfined > 0 && html`<p class="notice">In ${plural(unconfined, 'task')}, the sandbox did not keep commands from other files of the machine, so a run could have read the fix.</p>`}
<h2>Refusals</h2>
${rules.length === 0 ? html`<p>No rule refused a call.</p>` : table(['rule', 'calls', 'tasks'], rules)}`;
}

function countRow({ verdict, count, share, low, high }: VerdictCount): Markup {
  const at = (value: number) => (value * 200).toFixed(1);
  const range = `${percent(low)} to ${percent(high)}`;
  return html`<tr><td class="${tones[verdict]}">${verdict}</td><td class="number">${count}</td><td class="number">${percent(share)}</td><td><svg width="200" height="12" role="img" aria-label="${range}"><rect class="model" x="${at(low)}" y="3" width="${at(high - low)}" height="6"/><rect class="tests" x="${at(share)}" width="2" height="12"/></svg></td><td>${range}</td></tr>`;
}

function comparison(evaluation: Evaluation, against: Evaluation): Markup {
  const compared = compareEvaluations(evaluation, against);
  const row = (name: string, count: number, ids: readonly string[] = []) =>
    html`<tr><td>${name}</td><td class="number">${count}</td><td>${ids.map(shortTask).join(' ')}</td></tr>`;
  const { onlyFirst, onlySecond } = compared;
  const rows = [
    row('both', compared.bothSolved),
    row('only this', onlyFirst.length, onlyFirst),
    row('only that', onlySecond.length, onlySecond),
    row('neither', compared.neither),
  ];
  return html`<h2>Comparison</h2>
<p>Against: ${configurationLine(against)}. ${plural(compared.tasks, 'task')} that both played.</p>
${table(['solved by', 'tasks', ''], rows)}`;
}

function taskRow({ id, title, verdict, code, note, ...played }: TaskResult): Markup {
  const { rounds, durationMs, cost } = played;
  return html`<tr><td>${shortTask(id)}</td><td class="${tones[verdict]}">${verdict}</td><td>${title}</td><td>${note === '' ? code : `${code}: ${note}`}</td><td class="number">${rounds}</td><td class="number">${seconds(durationMs)}</td><td class="number">${cost === null ? '' : money(cost)}</td></tr>
`;
}
