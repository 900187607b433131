/** An evaluation as one HTML file that loads nothing. Pure. */
import { withoutHiddenCharacters } from '../guard/hidden-characters.ts';
import { plural } from '../plural.ts';
import { configurationLine, money, percent, seconds, shortTask } from './report-text.ts';
import type { Evaluation, TaskResult } from './result.ts';
import { compareEvaluations, summariseEvaluation } from './summary.ts';

const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1f2328;background:#fff}
table{border-collapse:collapse;margin:1rem 0}th,td{text-align:left;padding:.3rem .8rem;border-bottom:1px solid #d1d9e0;vertical-align:top}
td.n{text-align:right;font-variant-numeric:tabular-nums}.bar{width:14rem;height:.8rem;background:#eaeef2;position:relative}
.bar i{position:absolute;top:0;bottom:0;background:#54aeff}.bar b{position:absolute;top:-2px;bottom:-2px;width:2px;background:#1f2328}
.solved{color:#1a7f37}.wrong{color:#d1242f}.abstained{color:#9a6700}.failed{color:#59636e}
@media(prefers-color-scheme:dark){body{background:#0d1117;color:#f0f6fc}th,td{border-color:#3d444d}.bar{background:#262c36}.bar b{background:#f0f6fc}}`;

/** Text in HTML, between tags and in attributes. */
export function htmlText(text: string): string {
  return withoutHiddenCharacters(text.toWellFormed())
    .text.replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

const cell = (text: string) => `<td>${htmlText(text)}</td>`;
const number = (text: string) => `<td class="n">${htmlText(text)}</td>`;
const table = (head: readonly string[], rows: readonly string[]) =>
  `<table><tr>${head.map(h => `<th>${htmlText(h)}</th>`).join('')}</tr>\n${rows.join('\n')}</table>`;

/** The page. */
export function renderPage(evaluation: Evaluation, against: Evaluation | null): string {
  const { results, looked, found, seed } = evaluation;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Photon evaluation</title><style>${style}</style></head><body>
<h1>Photon evaluation</h1>
<p>${htmlText(configurationLine(evaluation))}</p>
<p>${plural(results.length, 'task')} played, ${found} found in ${plural(looked, 'commit')}, seed ${htmlText(seed)}</p>
${figures(evaluation)}
${against === null ? '' : comparison(evaluation, against)}
<h2>Tasks</h2>
${table(['task', 'result', 'title', 'code', 'rounds', 'time', 'cost'], results.map(taskRow))}
${drops(evaluation)}
</body></html>
`;
}

function figures(evaluation: Evaluation): string {
  const { verdicts, cost, medianMs, medianRounds, refusals } = summariseEvaluation(evaluation);
  const rows = verdicts.map(({ verdict, count, share, low, high }) => {
    const at = (value: number) => `${(value * 100).toFixed(1)}%`;
    const bar = `<div class="bar"><i style="left:${at(low)};width:${at(high - low)}"></i><b style="left:${at(share)}"></b></div>`;
    return `<tr>${cell(verdict)}${number(String(count))}${number(percent(share))}<td>${bar}</td>${cell(`${percent(low)} to ${percent(high)}`)}</tr>`;
  });
  const rules = refusals.map(
    ({ rule, count, tasks }) =>
      `<tr>${cell(rule)}${number(String(count))}${number(String(tasks))}</tr>`,
  );
  return `${table(['result', 'tasks', 'share', '', '95 % interval'], rows)}
<p>Cost: ${cost === null ? 'not known' : money(cost)}. Median of a task: ${seconds(medianMs)}, ${medianRounds} rounds.</p>
<h2>Refusals</h2>
${rules.length === 0 ? '<p>No rule refused a call.</p>' : table(['rule', 'calls', 'tasks'], rules)}`;
}

function comparison(evaluation: Evaluation, against: Evaluation): string {
  const compared = compareEvaluations(evaluation, against);
  const { tasks, bothSolved, onlyFirst, onlySecond, neither, p } = compared;
  const row = (name: string, count: number, ids: readonly string[] = []) =>
    `<tr>${cell(name)}${number(String(count))}${cell(ids.map(shortTask).join(' '))}</tr>`;
  return `<h2>Comparison</h2>
<p>Against: ${htmlText(configurationLine(against))}. ${plural(tasks, 'task')} that both played.</p>
${table(
  ['solved by', 'tasks', ''],
  [
    row('both', bothSolved),
    row('only this', onlyFirst.length, onlyFirst),
    row('only that', onlySecond.length, onlySecond),
    row('neither', neither),
  ],
)}
<p>p = ${p.toFixed(3)} (McNemar, exact, two-sided)</p>`;
}

function taskRow({ id, title, verdict, code, note, rounds, durationMs, cost }: TaskResult): string {
  const shown = note === '' ? code : `${code}: ${note}`;
  return `<tr>${cell(shortTask(id))}<td class="${verdict}">${verdict}</td>${cell(title)}${cell(shown)}${number(String(rounds))}${number(seconds(durationMs))}${number(cost === null ? '' : money(cost))}</tr>`;
}

function drops({ dropped, open }: Evaluation): string {
  const reasons = Object.entries(dropped).map(
    ([reason, count]) => `<tr>${cell(reason)}${number(String(count))}</tr>`,
  );
  const rest = open.map(({ id, reason }) => `<tr>${cell(shortTask(id))}${cell(reason)}</tr>`);
  return [
    ...(rest.length === 0 ? [] : ['<h2>Not played</h2>', table(['task', 'reason'], rest)]),
    ...(reasons.length === 0
      ? []
      : ['<h2>Commits that are no tasks</h2>', table(['reason', 'commits'], reasons)]),
  ].join('\n');
}
