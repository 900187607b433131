/** Renders the search of the embedded engine: the suspicious lines as a heat map, and the candidates over time. */
import type { Repair, SearchPoint } from '../../base/outcome.ts';
import { html, type Markup } from './markup.ts';
import { seconds } from './page-timeline.ts';

export function renderSearch({ suspects, course = [], tried, candidates }: Repair): Markup {
  return html`${course.length > 1 && renderCourse(course, `${tried} of ${candidates} candidates`)}${suspects.length > 0 && renderHeat(suspects)}`;
}

/** Lines that failing tests execute and passing tests do not are the hottest. */
function renderHeat(suspects: Repair['suspects']): Markup {
  const max = Math.max(...suspects.map(s => s.score), Number.MIN_VALUE);
  const files = Map.groupBy(suspects, s => s.path);
  const line = (s: Repair['suspects'][number]) =>
    html`<li class="h${Math.min(4, 1 + Math.floor((3.999 * s.score) / max))}"><span>${s.path}:${s.line}</span><span class="number">${s.score.toFixed(2)}</span><code>${s.text ?? ''}</code></li>
`;
  return html`<h3>Suspicious lines</h3>
<p class="quiet">The score is Ochiai’s: 1 for a line that every failing test executes and no passing test does.</p>
${[...files.values()].map(own => html`<ul class="heat">${own.toSorted((a, b) => a.line - b.line).map(line)}</ul>`)}`;
}

function renderCourse(course: readonly SearchPoint[], label: string): Markup {
  const [width, height] = [1000, 100];
  const end = Math.max(1, course.at(-1)?.ms ?? 1);
  const max = Math.max(1, ...course.map(p => p.tried));
  const points = course.map(
    p => `${((width * p.ms) / end).toFixed(1)},${(height - (96 * p.tried) / max).toFixed(1)}`,
  );
  const first = course.find(p => p.passing > 0);
  const found =
    first === undefined
      ? ''
      : html`<line class="curve passing" x1="${(width * first.ms) / end}" x2="${(width * first.ms) / end}" y1="0" y2="${height}"/>`;
  const after =
    first === undefined
      ? 'None passes all tests.'
      : `The first one that passes all tests was tried after ${seconds(first.ms)} (the vertical line).`;
  return html`<h3>Candidates over time</h3>
<div class="chart"><svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${label} in ${seconds(end)}"><polyline class="curve" points="0,${height} ${points.join(' ')}"/>${found}</svg></div>
<p class="quiet">${label} in ${seconds(end)}. ${after}</p>`;
}
