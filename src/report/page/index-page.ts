/** Renders the runs of an organisation as one HTML page that leads to the page of each. */
import { askedText, type NamedRun, runTitle } from '../../base/edit-title.ts';
import { isSuccess, type Outcome, statuses } from '../../base/outcome.ts';
import { plural, seconds, sum } from '../../base/plural.ts';
import {
  chooseTone,
  codeSpans,
  html,
  type Markup,
  renderLink,
  renderPage,
  webAddress,
} from './html.ts';

/** What the index shows of a run: the part of an outcome that a fleet reads, too. */
export interface IndexedRun {
  readonly outcome: NamedRun & {
    readonly code: string;
    readonly repository: string;
    readonly usage: Pick<Outcome['usage'], 'inputTokens' | 'outputTokens' | 'cost'>;
    readonly delivered: {
      readonly pullRequestNumber?: number | undefined;
      readonly pullRequestUrl?: string | undefined;
    };
    readonly startedAt?: string | undefined;
    readonly durationMs?: number | undefined;
  };
  /** Web address of its page; may be empty. */
  readonly href: string;
}

const maxRuns = 2_000;

/** The page. Notes are sentences on what it does not show, each with addresses to look at. */
export function renderIndexPage(
  title: string,
  runs: readonly IndexedRun[],
  notes: readonly { readonly text: string; readonly links: readonly string[] }[] = [],
): string {
  const counts = statuses.flatMap(status => {
    const own = runs.filter(run => run.outcome.status === status);
    const causes = Map.groupBy(own, run => nameCause(run.outcome));
    return [...causes].map(
      ([code, all]) =>
        html`<li class="${chooseTone(status)}">${all.length} ${status.replaceAll('_', ' ')}${code !== '' && html` <code>${code}</code>`}</li>`,
    );
  });
  const costs = runs.flatMap(run => run.outcome.usage.cost ?? []);
  const cost = sum(costs);
  const body = html`<h1>${title}</h1>
<p>${plural(runs.length, 'run')}${costs.length > 0 && `, cost ${cost.toFixed(4)}`}.</p>
<ul class="counts">${counts}</ul>
${notes.map(({ text, links }) => html`<p class="notice">${text}${links.map((href, i) => html` ${link(href, `${i + 1}`)}`)}</p>`)}
<table class="runs">
<thead><tr><th scope="col">date</th><th scope="col">task</th><th scope="col">ended</th><th scope="col">pull request</th><th scope="col">cost</th><th scope="col">time</th></tr></thead>
<tbody>${runs.slice(0, maxRuns).map(renderRow)}</tbody></table>
${runs.length > maxRuns && html`<p class="quiet">${runs.length - maxRuns} more are not shown.</p>`}`;
  return renderPage(title, body);
}

/** The code of a run that did not succeed, if it says more than its status. */
const nameCause = ({ status, code }: IndexedRun['outcome']) =>
  isSuccess(status) || code === status.toUpperCase() ? '' : code;

function renderRow({ outcome, href }: IndexedRun): Markup {
  const { status, task, delivered, repository, durationMs } = outcome;
  const cause = nameCause(outcome);
  const pull = delivered.pullRequestNumber;
  const request = askedText(outcome);
  const title = runTitle(outcome).slice(0, 300);
  // rows of a fleet have one task and many identifiers
  const id = request === '' ? '' : task.id.slice(0, 120);
  const more = [title === request ? '' : title, id, repository].filter(Boolean).join(' · ');
  return html`<tr><td>${outcome.startedAt?.slice(0, 16).replace('T', ' ')}</td><td>${link(href, request || task.id.slice(0, 120))}${more !== '' && html` <p class="quiet">${codeSpans(more)}</p>`}</td><td class="${chooseTone(status)}">${status.replaceAll('_', ' ')}${cause !== '' && html` <code>${cause}</code>`}</td><td>${link(delivered.pullRequestUrl ?? '', pull === undefined ? '' : `#${pull}`)}</td><td class="number">${spentText(outcome.usage)}</td><td class="number">${durationMs === undefined ? '' : seconds(durationMs)}</td></tr>
`;
}

/** The cost; where no model has a price, its tokens. */
function spentText({ cost, inputTokens, outputTokens }: IndexedRun['outcome']['usage']): string {
  const tokens = inputTokens + outputTokens;
  if (cost !== undefined) return cost.toFixed(4);
  return tokens === 0 ? '' : plural(tokens, 'token');
}

function link(href: string, text: string): Markup {
  return webAddress.test(href) ? renderLink(href, text) : html`${text}`;
}
