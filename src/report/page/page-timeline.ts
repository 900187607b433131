/** Renders the course of a run: when the model, the tools and the tests worked. */
import type { Engine } from '../../base/outcome.ts';
import { plural, seconds, sum } from '../../base/plural.ts';
import type { Round, Timeline, TimelineEntry } from '../../ledger/timeline.ts';
import { html, type Markup } from './html.ts';

/** Width of a drawing in its own units; a bar is at least one wide. */
const width = 1000;
/** Rounds that the table names at its start, and again at its end. */
const maxRounds = 100;

type Span = Pick<TimelineEntry, 'startMs' | 'durationMs'>;

/** The lanes, and the rounds as a table. */
export function renderTimeline(timeline: Timeline, engine: Engine): Markup {
  const { rounds } = timeline;
  if (rounds.length === 0) return html`<p>The run ended before its first round.</p>`;
  const driver = engine === 'builtin' ? 'engine' : 'model';
  return html`${renderLanes(timeline, driver)}${renderRounds(rounds, driver)}`;
}

const testTools: ReadonlySet<string> = new Set(['verify', 'run_command', 'syntax_check']);

type Driver = 'model' | 'engine';

function renderLanes({ rounds, durationMs }: Timeline, driver: Driver): Markup {
  const calls = rounds.flatMap(round => round.calls);
  const isRefused = (call: TimelineEntry) => call.decision === 'abstain';
  const refused = [...rounds, ...calls].filter(isRefused);
  const passed = calls.filter(call => !isRefused(call));
  const lanes: readonly (readonly [string, string, readonly Span[]])[] = [
    [driver === 'model' ? 'model' : 'search', 'model', rounds],
    ['tools', 'tools', passed.filter(call => !testTools.has(call.tool))],
    ['tests and commands', 'tests', passed.filter(call => testTools.has(call.tool))],
    ['refused', 'refused', refused],
  ];
  const shown = lanes.filter(([, , spans]) => spans.length > 0);
  return html`<div class="lanes">
${shown.map(([name, kind, spans]) => {
  const text = `${name}: ${plural(spans.length, 'time')}, ${seconds(totalMs(spans))}`;
  return html`<span>${name} <span class="quiet">${spans.length} × · ${seconds(totalMs(spans))}</span></span>
<svg viewBox="0 0 ${width} 10" preserveAspectRatio="none" role="img" aria-label="${text}">${bars(
    spans,
    durationMs,
  ).map(([x, w]) => html`<rect class="${kind}" x="${x}" y="1" width="${w}" height="8"/>`)}</svg>
`;
})}<div class="axis"><span>0 s</span><span>${seconds(durationMs / 2)}</span><span>${seconds(durationMs)}</span></div>
</div>`;
}

const totalMs = (spans: readonly Span[]) => sum(spans.map(span => span.durationMs));

/** Spans as bars; those that touch on the drawing become one, so that their number is bounded. */
function bars(spans: readonly Span[], wholeMs: number): readonly (readonly [number, number])[] {
  const scale = width / Math.max(1, wholeMs);
  const merged: [number, number][] = [];
  for (const { startMs, durationMs } of [...spans].sort((a, b) => a.startMs - b.startMs)) {
    const from = Math.min(width - 1, Math.floor(startMs * scale));
    const to = Math.max(from + 1, Math.min(width, Math.ceil((startMs + durationMs) * scale)));
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged.map(([from, to]) => [from, to - from]);
}

function renderRounds(rounds: readonly Round[], driver: Driver): Markup {
  const gone = rounds.length - 2 * maxRounds;
  const shown = gone > 0 ? [...rounds.slice(0, maxRounds), ...rounds.slice(-maxRounds)] : rounds;
  const hasTokens = rounds.some(round => round.inputTokens > 0);
  const rows = shown.map(
    (
      round,
      i,
    ) => html`${gone > 0 && i === maxRounds && html`<tr><td colspan="5">… ${gone} rounds are left out here; the ledger has them …</td></tr>`}<tr><td class="number">${round.number}</td><td>${round.phase}</td><td class="number">${seconds(round.startMs)}</td><td class="number">${seconds(round.durationMs)}${hasTokens && html` <span class="quiet">${round.inputTokens} + ${round.outputTokens}</span>`}</td><td>${renderCalls(round)}</td></tr>
`,
  );
  return html`<details><summary>${rounds.length === 1 ? '1 round' : `All ${rounds.length} rounds`}</summary>
<div class="wide" tabindex="0" role="region" aria-label="Rounds"><table>
<thead><tr><th scope="col">round</th><th scope="col">phase</th><th scope="col">at</th><th scope="col">${driver}${hasTokens && ', tokens in + out'}</th><th scope="col">calls</th></tr></thead>
<tbody>${rows}</tbody></table></div></details>`;
}

const maxCalls = 30;

function renderCalls({ calls, code }: Round): Markup {
  const refused = code === null ? '' : html`<span class="bad">reply refused: ${code}</span>`;
  const shown = calls.slice(0, maxCalls).map((call, i) => {
    const paths = call.paths.length === 0 ? '' : ` ${call.paths.slice(0, 3).join(', ')}`;
    const end = call.code === null ? '' : html` <span class="bad">${call.code}</span>`;
    return html`${i > 0 && '; '}<code>${call.tool}</code>${paths.slice(0, 200)}${end} <span class="quiet">${seconds(call.durationMs)}</span>`;
  });
  const more = calls.length > maxCalls ? `; and ${calls.length - maxCalls} more` : '';
  return html`${refused}${shown}${more}`;
}
