/** Renders a run as one HTML page without scripts and without anything from a network. */
import { askedText, runTitle } from '../../base/edit-title.ts';
import { renderMarkdown } from '../../base/markdown.ts';
import {
  describeState,
  hasPatch,
  isSuccess,
  type Outcome,
  ranPlainly,
  showOutput,
  type VerificationRun,
} from '../../base/outcome.ts';
import { plural } from '../../base/plural.ts';
import { readTimeline, type Timeline, type TimelineEntry } from '../../ledger/timeline.ts';
import { describeRun, listRuns } from '../../verify/describe-verification.ts';
import { agentMarkdown } from '../agent-markdown.ts';
import { reviewBody } from '../comment/review.ts';
import { proofLines } from '../pull-request/proof-section.ts';
import { repairSection } from '../pull-request/repair-section.ts';
import {
  agentsWords,
  faultTests,
  filesTable,
  footer,
  leftText,
  lookLine,
  planSection,
  usageLine,
  verificationTable,
  warnings,
} from '../pull-request/sections.ts';
import { guaranteed } from '../terminal/doctor-text.ts';
import {
  chooseTone,
  codeSpans,
  html,
  type Markup,
  renderLink,
  renderPage,
  trustedHtml,
  webAddress,
} from './html.ts';
import { renderDiffView, renderLegend } from './page-diff.ts';
import { renderTimeline } from './page-timeline.ts';

/** What a page is made of: the files that every run keeps. They must not contain secrets. */
export interface KeptFiles {
  readonly outcome: Outcome;
  readonly diff: string;
  readonly ledger: string;
}

/** The page of one run. Every text in it is escaped, and its length is bounded. */
export function renderRunPage({ outcome, diff, ledger }: KeptFiles): string {
  const timeline = readTimeline(ledger, Date.parse(outcome.startedAt));
  const { verification } = outcome;
  const proof = verification?.proof;
  const output = testOutput(outcome);
  // what a reader of a failure looks for comes first
  const isFailure = verification?.passed === false;
  const parts = [
    head(outcome),
    isFailure && output,
    diff !== '' &&
      html`<h2 id="patch">The patch</h2>
${outcome.patch.files.length > 1 && markdown(filesTable(outcome))}
${proof && renderLegend(proof)}${markdown(proofLines(outcome))}${markdown(lookLine(outcome))}
${renderDiffView(diff, proof)}`,
    markdown(faultTests(outcome), 'Tests of the second look'),
    outcome.answer !== undefined &&
      html`<h2>The answer</h2>${renderLabel(outcome)}${markdown(agentMarkdown(outcome.answer, outcome))}`,
    outcome.review !== undefined &&
      html`<h2>The review</h2>${markdown(reviewBody(outcome.review))}`,
    markdown(planSection(outcome), 'The plan'),
    html`<h2 id="course">The course of the run</h2>${outcome.usage.rounds > 0 && markdown(usageLine(outcome))}${timeline.unreadable > 0 && html`<p class="notice">${plural(timeline.unreadable, 'line')} of the ledger cannot be read. <code>photon audit</code> says more.</p>`}${renderTimeline(timeline, outcome.engine)}`,
    markdown(repairSection(outcome), 'The embedded engine'),
    refusals(timeline, outcome),
    !isFailure && output,
    walls(outcome),
    html`<footer>${markdown(footer(outcome))}</footer>`,
  ];
  return renderPage(runTitle(outcome).replaceAll('`', '').slice(0, 200), html`${parts}`);
}

/** Markdown that Photon made, as HTML; with a heading if there is any. */
function markdown(text: string, heading = ''): Markup {
  if (text === '') return html``;
  const made = trustedHtml(renderMarkdown(text.replaceAll('<span>$</span>', '$')));
  return heading === '' ? made : html`<h2>${heading}</h2>${made}`;
}

/** The first screen: how it ended, whether to trust it, what to do. */
function head(outcome: Outcome): Markup {
  const { status, code, message, statement, choices = [], summary, hint } = outcome;
  const tone = chooseTone(status);
  const warned = warnings(outcome).filter(() => outcome.patch.files.length > 0);
  const next = [
    ...nextSteps(outcome),
    isSuccess(status) || hint === '' ? undefined : html`${hint}`,
  ].filter(item => item !== undefined);
  const label = renderLabel(outcome);
  const title = runTitle(outcome);
  const request = askedText(outcome, 300);
  return html`<p class="status ${tone}">${status.replaceAll('_', ' ')} <span class="quiet"><code>${code}</code></span></p>
<h1>${codeSpans(title)}</h1>
${request !== '' && request !== title && html`<p class="quiet">Asked: ${request}</p>`}
${message !== title && html`<p>${message}</p>`}
${summary !== undefined && html`${label}<p>${summary.slice(0, 2000)}</p>`}
${outcome.left !== undefined && html`<p>${leftText(outcome.left)}</p>`}
${statement !== undefined && html`${label}<pre>${codeSpans(statement.slice(0, 4000))}</pre>`}
${choices.length > 0 && html`<ul>${choices.map(choice => html`<li>${choice.slice(0, 500)}</li>`)}</ul>`}
${warned.map(text => html`<div class="notice">${markdown(text)}</div>`)}
${markdown(verificationTable(outcome.verification))}
${next.length > 0 && html`<div class="next"><strong>What to do next</strong>${next.map(step => html`<p>${step}</p>`)}</div>`}
${outcome.notes.length > 0 && html`<ul class="quiet">${outcome.notes.slice(0, 30).map(note => html`<li>${note.slice(0, 600)}</li>`)}</ul>`}`;
}

/** What stands over a text of the agent; nothing for the embedded engine. */
function renderLabel(outcome: Outcome): Markup {
  const label = agentsWords(outcome, ' ').trim();
  return label === '' ? html`` : html`<p class="quiet">${label}</p>`;
}

function nextSteps({ delivered, page, status, runId }: Outcome): readonly Markup[] {
  const link = (url = '', text: string) => (webAddress.test(url) ? [renderLink(url, text)] : []);
  const applies = hasPatch(status) && page === undefined && status !== 'applied';
  return [
    ...link(delivered.pullRequestUrl, `Review pull request #${delivered.pullRequestNumber ?? ''}`),
    ...link(delivered.compareUrl, 'Open a pull request for the branch'),
    applies
      ? html`Apply the patch: <code>photon apply ${runId.split('-').at(-1)}</code>`
      : undefined,
    ...link(page, 'The workflow run, with all files of this run'),
  ].filter(item => item !== undefined);
}

const maxRefusals = 200;

/** Each call that a rule refused, and each that failed, with the rule and what it saw. */
function refusals({ rounds }: Timeline, { decisions }: Outcome): Markup {
  const calls = rounds.flatMap(round => [round, ...round.calls].map(call => ({ round, call })));
  const refused = calls.filter(({ call }) => call.decision !== 'pass');
  if (refused.length === 0)
    return html`<h2 id="refused">What was refused or failed</h2><p>Nothing${decisions.length > 0 && ' that the ledger names'}: no rule refused a call, and no call failed.</p>`;
  const row = ({ round, call }: { round: { number: number }; call: TimelineEntry }) =>
    html`<tr><td class="number">${call.seq}</td><td class="number">${round.number}</td><td><code>${call.tool}</code></td><td>${describeState(call.decision, call.severity)}</td><td><code>${call.code ?? ''}</code></td><td>${call.section}</td><td>${[call.paths.slice(0, 3).join(', '), call.evidence].filter(Boolean).join(': ').slice(0, 600)}</td></tr>
`;
  return html`<h2 id="refused">What was refused or failed</h2>
<div class="wide" tabindex="0" role="region" aria-label="Calls that were refused or failed"><table>
<caption>${plural(refused.length, 'call')}, by entry of the ledger</caption>
<thead><tr><th scope="col">entry</th><th scope="col">round</th><th scope="col">tool</th><th scope="col">decision</th><th scope="col">code</th><th scope="col">section</th><th scope="col">what the rule saw</th></tr></thead>
<tbody>${refused.slice(0, maxRefusals).map(row)}</tbody></table></div>
${refused.length > maxRefusals && html`<p class="quiet">${refused.length - maxRefusals} more are in the ledger.</p>`}`;
}

/** The end of the output of each run of the tests. */
function testOutput({ verification }: Outcome): Markup | false {
  if (verification === null) return false;
  const { early, after = early, passed } = verification;
  // what a reader of a failure looks for is open
  const details = (run: VerificationRun) =>
    trustedHtml(!passed && run === after ? '<details open>' : '<details>');
  const shown = listRuns(verification).flatMap(([name, run]) =>
    run.outputTail.trim() === ''
      ? []
      : [
          html`${details(run)}<summary>${name}: <code>${run.command.slice(0, 200)}</code>, ${describeRun(run)}</summary><pre tabindex="0">${showOutput(run)}</pre></details>
`,
        ],
  );
  return shown.length > 0 && html`<h2 id="output">Output of the tests</h2>${shown}`;
}

function walls({ sandbox }: Outcome): Markup | false {
  const { guarantees, launcher } = sandbox;
  if (guarantees.length === 0) return false;
  return html`<h2 id="sandbox">The sandbox</h2>
<p>${ranPlainly({ sandbox }) ? 'Commands ran without a sandbox, because the settings say so. Nothing was kept from them.' : html`Commands ran under <code>${launcher}</code>. Before the first one, a probe tried to break each guarantee.`}</p>
${trustedHtml(guarantees.every(g => g.holds) ? '<details>' : '<details open>')}<summary>${guarantees.filter(g => g.holds).length} of ${plural(guarantees.length, 'guarantee')} held</summary><table><thead><tr><th scope="col">guarantee</th><th scope="col">the probe</th><th scope="col">meaning</th></tr></thead>
<tbody>${guarantees.map(({ name, holds }) => html`<tr><th scope="row">${name}</th><td class="${holds ? 'good' : 'bad'}">${holds ? 'holds' : 'missing'}</td><td>${guaranteed[name]}</td></tr>`)}</tbody></table></details>`;
}
