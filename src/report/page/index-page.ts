/** Renders the runs of a workflow, a fleet or a checkout as one HTML page that leads to the page of each. */
import { isSuccess, type Outcome, type Status, statuses } from '../../base/outcome.ts';
import { plural } from '../../base/plural.ts';
import { html, type Markup } from './markup.ts';
import { seconds } from './page-timeline.ts';
import { renderPage, webAddress } from './run-page.ts';

/** What the index shows of a run: the part of an outcome that a fleet reads, too. */
export interface IndexedRun {
  readonly outcome: Pick<Outcome, 'status' | 'message' | 'repository'> & {
    readonly code: string;
    readonly task: { readonly id: string };
    readonly usage: Pick<Outcome['usage'], 'inputTokens' | 'outputTokens' | 'cost'>;
    readonly delivered: {
      readonly pullRequestNumber?: number | undefined;
      readonly pullRequestUrl?: string | undefined;
    };
    readonly startedAt?: string | undefined;
    readonly durationMs?: number | undefined;
  };
  /** Where its page is: a path from the index, or a web webAddress; empty if there is none. */
  readonly href: string;
}

/** Runs that the table names. */
const maxRuns = 2_000;

export function renderIndexPage(title: string, runs: readonly IndexedRun[]): string {
  const counts = statuses.flatMap(status => {
    const count = runs.filter(run => run.outcome.status === status).length;
    return count === 0
      ? []
      : [html`<li class="${chooseTone(status)}">${count} ${status.replaceAll('_', ' ')}</li>`];
  });
  const costs = runs.flatMap(run => run.outcome.usage.cost ?? []);
  const cost = costs.reduce((sum, each) => sum + each, 0);
  const body = html`<h1>${title}</h1>
<p>${plural(runs.length, 'run')}${costs.length > 0 && `, cost ${cost.toFixed(4)}`}.</p>
<ul>${counts}</ul>
<div class="wide" tabindex="0" role="region" aria-label="Runs"><table>
<thead><tr><th scope="col">task</th><th scope="col">repository</th><th scope="col">ended</th><th scope="col">what happened</th><th scope="col">pull request</th><th scope="col">time</th><th scope="col">tokens</th><th scope="col">cost</th></tr></thead>
<tbody>${runs.slice(0, maxRuns).map(renderRow)}</tbody></table></div>
${runs.length > maxRuns && html`<p class="quiet">${runs.length - maxRuns} more are not shown.</p>`}`;
  return renderPage(title, body);
}

const chooseTone = (status: Status) =>
  isSuccess(status) ? 'good' : status === 'failed' || status === 'rolled_back' ? 'bad' : 'warn';

function renderRow({ outcome, href }: IndexedRun): Markup {
  const { status, code, message, task, usage, delivered, repository } = outcome;
  const tokens = usage.inputTokens + usage.outputTokens;
  const time = [
    outcome.startedAt?.slice(0, 16).replace('T', ' '),
    outcome.durationMs === undefined ? undefined : seconds(outcome.durationMs),
  ];
  return html`<tr><td>${link(href, task.id.slice(0, 120))}</td><td>${repository}</td><td class="${chooseTone(status)}">${status.replaceAll('_', ' ')} <code>${code}</code></td><td>${message.slice(0, 300)}</td><td>${link(delivered.pullRequestUrl ?? '', delivered.pullRequestNumber === undefined ? '' : `#${delivered.pullRequestNumber}`)}</td><td class="number">${time.filter(Boolean).join(', ')}</td><td class="number">${tokens}</td><td class="number">${usage.cost === undefined ? '' : usage.cost.toFixed(4)}</td></tr>
`;
}

/** A page beside the index. */
const near = /^[\w-]+\/report\.html$/;

function link(href: string, text: string): Markup {
  return webAddress.test(href) || near.test(href)
    ? html`<a href="${href}" rel="noreferrer">${text}</a>`
    : html`${text}`;
}
