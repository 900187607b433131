/** An evaluation as one HTML file that loads nothing. Pure. */
import { plural, seconds } from '../base/plural.ts';
import { html, type Markup } from '../report/page/markup.ts';
import { renderPage } from '../report/page/run-page.ts';
import { configurationLine, money, percent, shortTask } from './report-text.ts';
import type { Evaluation, TaskResult, Verdict } from './result.ts';
import { compareEvaluations, summariseEvaluation, type VerdictCount } from './summary.ts';

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
