/** Renders the parts that pull request, comment, summary, page and terminal share. */

import { type Advisory, describeAdvisory, formatLines } from '../../base/findings.ts';
import {
  describeState,
  hasPatch,
  isFailure,
  type LeftBehind,
  nothingLeft,
  type Outcome,
  type PatchedFile,
  ranPlainly,
  type Verification,
  type VerificationRun,
} from '../../base/outcome.ts';
import { joinDefined, listFirst, plural, seconds } from '../../base/plural.ts';
import { describeRun, listRuns } from '../../verify/describe-verification.ts';
import {
  expectationsChanged,
  failsAnyway,
  noLongerJudged,
  nothingFailed,
  notJudged,
} from '../../verify/judge/judge.ts';
import { mayCheat } from '../../verify/watch-canary.ts';
import {
  cellText,
  fencedText,
  holdsCommand,
  inlineText,
  plainParagraph,
  tableLines,
} from '../escape.ts';
import { repairWarnings } from './repair-section.ts';

/** A hidden mark by which Photon recognises its own text. */
export function marker(taskId: string): string {
  return `<!-- photon:task=${taskId} -->`;
}

/** Stands over every text of the agent that people read. Nothing checks such a text. */
export const agentsLabel = "In the agent's words, not verified:";

/**
 * A text of the agent, rendered, under its label; may be empty. What Photon says without a model, such as the
 * embedded engine, has no label.
 */
export function agentsWords({ engine, usage }: Outcome, rendered: string): string {
  if (rendered === '') return '';
  return engine === 'builtin' || usage.rounds === 0 ? rendered : `${agentsLabel}\n\n${rendered}`;
}

/**
 * A text that the agent gives as its reason or question: a quotation, which fits a narrow screen. A listing, and a line
 * that other bots take for a command, stay as they are.
 */
export function quotedText(text: string): string {
  const lines = text.trim().split('\n');
  const isListing = lines.length > 5 || lines.slice(1).some(line => !/^[A-Z]/.test(line));
  return isListing || holdsCommand(text)
    ? fencedText(text.trim(), { maxChars: 1200 })
    : lines.map(line => `> ${plainParagraph(line, 1200)}`).join('\n>\n');
}

/** The first line about a patch whose commands ran without a sandbox. */
export const noSandbox =
  '**No sandbox**: the settings turn it off (`sandbox: none`), so that commands could read and change all that the account of Photon can.';

/** What a reader must know first; empty if there is nothing. */
export function warnings(outcome: Outcome): readonly string[] {
  const { verification, patch, sandbox, status } = outcome;
  const { added = 0, advisories = [], unread } = patch.packages ?? {};
  const lines = advisories.length === 0 ? [] : [advisoryLine(advisories)];
  lines.push(...faultLines(outcome));
  if (ranPlainly(outcome)) lines.push(noSandbox);
  if (verification?.require === 'none' || (verification === null && hasPatch(status)))
    lines.push('**Nothing was verified**: the settings turn verification off.');
  else if (verification === null && patch.files.length > 0)
    lines.push('**Nothing was verified**: the run ended before the tests ran on the patch.');
  const warned = verification?.warnings ?? [];
  const leads = (w: string) =>
    w === nothingFailed ||
    w === notJudged ||
    w === noLongerJudged ||
    (verification?.sameFailures !== undefined && w.includes(failsAnyway)) ||
    [expectationsChanged, mayCheat].some(lead => w.startsWith(lead));
  // each changed expectation is named
  lines.push(...warned.filter(leads).map(w => plainParagraph(w, 5_000)));
  const flagged = patch.files.filter(f => f.flag !== undefined);
  if (flagged.length > 0) {
    const name = ({ path, flag = '' }: PatchedFile) =>
      `${inlineText(path)} (${plainParagraph(flag, 120)})`;
    lines.push(`**Review these files first**: ${listFirst(flagged, name, { most: 20 })}.`);
  }
  if (verification?.withBaseTests !== undefined) {
    const failed = failsAsBefore(verification)
      ? 'and nothing failed but what fails without the patch'
      : '**and it did not pass**';
    const end = verification.withBaseTests.exitCode === 0 ? 'and it passed' : failed;
    lines.push(
      `The patch changes tests. Photon verified it again with the unchanged tests of the base, ${end}.`,
    );
  }
  // a warning contains untrusted paths and test names
  lines.push(...warned.filter(w => !leads(w)).map(w => plainParagraph(w)));
  if (unread !== undefined)
    lines.push(
      `Photon did not look up ${advisories.length > 0 ? 'all of ' : ''}${plural(added, 'new package version')} in GitHub's advisory database: ${plainParagraph(unread, 300)}.`,
    );
  const missing = sandbox.guarantees.filter(g => !g.holds).map(g => g.name);
  if (missing.length > 0 && !ranPlainly(outcome))
    lines.push(`The sandbox on this machine lacks these guarantees: ${missing.join(', ')}.`);
  const { services = [] } = sandbox.egress ?? {};
  if (services.length > 0)
    lines.push(
      `The commands could use services of the job (\`network: services\`): ${services.join(', ')}.`,
    );
  if (refusedConnections(outcome.verification) > 0)
    lines.push('The tests tried to use the network, which the sandbox blocks (input `network`).');
  lines.push(...repairWarnings(outcome));
  if (outcome.degraded)
    lines.push('A tool failed during the run (partial failure). The ledger names it.');
  return lines;
}

/** The faults that a second look showed and that stayed, in the words of its model. */
function faultLines({ look, patch }: Outcome): readonly string[] {
  return (look?.shown ?? []).map(({ problem, proof, ...lines }) => {
    const where = `${inlineText(formatLines(lines))}`;
    const test = proof?.kind === 'test' ? ` (its test: ${inlineText(proof.path)})` : '';
    const of = look?.patchDigest === patch.digest ? 'the patch' : 'an earlier form of the patch';
    return `**A test of a second look fails with ${of}**, at ${where}${test}. ${agentsLabel} ${plainParagraph(problem, 1000)}`;
  });
}

/** The tests of those faults. */
export function faultTests({ look }: Outcome): string {
  return (look?.shown ?? [])
    .flatMap(({ proof }) =>
      proof?.kind === 'test'
        ? [`${inlineText(proof.path)}\n\n${fencedText(proof.text, { maxChars: 6000 })}`]
        : [],
    )
    .join('\n\n');
}

/** What a second look came to that showed no fault; empty without one. */
export function lookLine({ look, patch }: Outcome): string {
  if (look === undefined || look.shown.length > 0) return '';
  const unshown =
    look.unshown === 0 ? '' : ` ${plural(look.unshown, 'suspicion')} had no test that shows it.`;
  const cut = look.cut === undefined ? '' : ` It ended early (${look.cut}).`;
  const of = look.patchDigest === patch.digest ? 'this patch' : 'an earlier form of this patch';
  const gone = look.looks > 1 ? ' What the look before it showed no longer fails.' : '';
  return `A second look at ${of}, in a conversation of its own, showed no fault.${gone}${unshown}${cut}`;
}

/** What was looked up about the packages of a patch, where nothing was found; otherwise empty. */
export function packagesLine({ patch: { packages } }: Outcome): string {
  if (packages === undefined || packages.unread !== undefined || packages.advisories.length > 0)
    return '';
  return `GitHub's advisory database has no advisory about what the patch brings: ${plural(packages.added, 'package version')}.`;
}

function advisoryLine(advisories: readonly Advisory[]): string {
  const format = (each: Advisory) => plainParagraph(describeAdvisory(each), 500);
  return `**Known advisories**: ${listFirst(advisories, format, { most: 10, between: '. ' })}.`;
}

/** True if with the tests of the base no case fails but those that fail without the patch. */
export function failsAsBefore({ withBaseTests, sameFailures }: Verification): boolean {
  const failed = withBaseTests?.failedCases?.map(c => c.name) ?? [];
  return failed.length > 0 && failed.every(id => sameFailures?.includes(id));
}

/** The last run of the tests that failed, if it failed the run of Photon. */
export function failingRun({ status, verification }: Outcome): VerificationRun | undefined {
  if (!isFailure(status) || verification === null || verification.passed) return undefined;
  return listRuns(verification).findLast(([, run]) => run.exitCode !== 0)?.[1];
}

function refusedConnections(verification: Verification | null): number {
  const runs = [verification?.after, verification?.withBaseTests];
  return runs.reduce((sum, run) => sum + (run?.refusedConnections ?? 0), 0);
}

export function verificationTable(verification: Verification | null): string {
  const runs = verification === null ? [] : listRuns(verification);
  const [, first] = runs[0] ?? [];
  if (verification === null || first === undefined) return '';
  const { reason, regressions } = verification;
  return joinDefined([
    `Command: ${inlineText(first.command)}`,
    '',
    ...tableLines(
      ['run', 'result'],
      runs.map(([name, run]) => [name, describeRun(run)]),
    ),
    ...alertLine(verification),
    reason !== undefined && ['', plainParagraph(reason)],
    regressions.length > 0 && [
      '',
      `Passed before and fails now: ${listFirst(regressions, name => inlineText(name, 200), { most: 20 })}.`,
    ],
  ]);
}

function alertLine({ alert }: Verification): readonly string[] {
  if (alert === undefined) return [];
  const { command, rule, path, line, gone } = alert;
  const what = `${inlineText(rule || 'a finding', 120)} in ${inlineText(line === null ? path : `${path}:${line}`)}`;
  const end = gone
    ? 'no longer reports it, and reports nothing new'
    : 'still reports it, or reports something new';
  return ['', `Finding ${what}: the scanner (${inlineText(command)}) ${end}.`];
}

export function filesTable(outcome: Outcome): string {
  if (outcome.patch.files.length === 0) return '';
  const rows = outcome.patch.files
    .slice(0, 100)
    .map(f => [cellText(f.path), f.change, `+${f.added} −${f.removed}`]);
  return tableLines(['file', 'change', 'lines'], rows).join('\n');
}

/** The plan, if a setting asks for it. Its text comes from the model. */
export function planSection(outcome: Outcome): string {
  const { plan } = outcome;
  if (plan === undefined) return '';
  const { entrySymbols, affectedFiles, scope, maxChangedLines } = plan;
  const list = (names: readonly string[]) =>
    `${names
      .slice(0, 30)
      .map(n => inlineText(n, 120))
      .join(', ')}${names.length > 30 ? ', …' : ''}`;
  return [
    `Plan: change at most ${maxChangedLines} lines in ${list(affectedFiles)}, starting from ${list(entrySymbols)}.`,
    agentsWords(outcome, fencedText(scope, { maxChars: 1200 })),
  ].join('\n\n');
}

/** What a staged run would have delivered, including the text of the pull request. */
export function stagedSection({ staged }: Outcome): string {
  if (staged === undefined) return '';
  const { branch, base, title, body, labels, draft } = staged;
  const kind = draft ? 'A draft pull request' : 'A pull request';
  const named =
    labels.length === 0 ? '' : `, labels ${labels.map(l => inlineText(l, 50)).join(', ')}`;
  return joinParts([
    '**Staged: nothing was delivered. Photon would deliver:**',
    `${kind} ${inlineText(title)} from ${inlineText(branch)} into ${inlineText(base)}${named}`,
    foldContent(
      'Text of the pull request',
      fencedText(body, { maxChars: 20_000, info: 'markdown' }),
    ),
  ]);
}

/** What the guard refused, and what failed after it, as a table; empty if there is nothing. */
export function decisionsTable(outcome: Outcome): string {
  if (outcome.decisions.length === 0) return '';
  const rows = outcome.decisions
    .slice(0, 50)
    .map(d => [d.code, describeState(d.state, d.severity), d.section, d.tool, d.count]);
  return tableLines(['code', 'decision', 'constitution', 'tool', 'times'], rows).join('\n');
}

const maxDestinations = 30;

/** What commands reached through the filtering proxy, and what it refused; empty without the proxy. */
export function networkTable({ sandbox }: Pick<Outcome, 'sandbox'>): string {
  const { connections = [] } = sandbox.egress ?? {};
  if (connections.length === 0) return '';
  const sorted = [...connections].sort((a, b) => Number(a.allowed) - Number(b.allowed));
  const rows = sorted.slice(0, maxDestinations).map(c => {
    const destination = cellText(`${c.host}:${c.port}`);
    return [c.caller, destination, c.connections, c.reason || 'allowed', c.bytesIn, c.bytesOut];
  });
  const head = ['command', 'destination', 'connections', 'result', 'bytes in', 'bytes out'];
  const more = sorted.length - rows.length;
  return joinDefined([
    ...tableLines(head, rows),
    more > 0 ? ['', `${more} more are in the outcome.`] : undefined,
  ]);
}

export function usageLine({ usage, durationMs }: Outcome): string {
  const { models, cachedTokens, inputTokens } = usage;
  const share = cachedTokens === 0 ? '' : ` (${percent(cachedTokens, inputTokens)} from a cache)`;
  const used = inputTokens + usage.outputTokens > 0;
  const tokens = used
    ? `, ${plural(inputTokens, 'input token')}${share}, ${plural(usage.outputTokens, 'output token')}`
    : '';
  const total = `${plural(usage.rounds, 'round')}, ${plural(usage.toolCalls, 'tool call')}${tokens}${costText(usage)}, ${seconds(durationMs)}.`;
  if (models.length < 2) return total;
  const each = models.map(
    m => `${inlineText(m.model, 80)} ${plural(m.rounds, 'round')}${costText(m)}`,
  );
  return `${total} By model: ${each.join('; ')}.`;
}

const percent = (part: number, whole: number) => `${Math.round((100 * part) / whole)} %`;

function costText({ cost }: { readonly cost?: number }): string {
  return cost === undefined ? '' : `, cost ${cost.toFixed(4)}`;
}

/** Constitution, prompt, model and ledger of the run. */
export function footer(outcome: Outcome): string {
  const { constitution: policy, prompt, ledger, base } = outcome;
  // a run that ended early has read neither
  const rules =
    policy.version === ''
      ? []
      : [
          `Constitution ${policy.version}, sha256 ${policy.sha256}; prompt ${prompt.agent} ${prompt.version} (${prompt.sha256.slice(0, 16)}).`,
        ];
  return [
    `Run ${outcome.runId} of Photon ${outcome.photon} on ${base.commit.slice(0, 12) || 'no commit'}, model ${inlineText(outcome.model || 'none', 80)}.`,
    ...rules,
    ...instructionsLine(outcome),
    `Ledger: ${plural(ledger.entries, 'entry', 'entries')}, head ${ledger.head.slice(0, 64)}.`,
  ].join('\n');
}

function instructionsLine({ instructions = [] }: Outcome): readonly string[] {
  const name = ({ path, sha256 }: (typeof instructions)[number]) =>
    `${inlineText(path, 120)} (${sha256.slice(0, 16)})`;
  const named = listFirst(instructions, name, { most: 20 });
  return named === '' ? [] : [`Instructions of the repository: ${named}.`];
}

/** The workflow run, and its artifacts, which hold the report; empty outside of Actions. */
export function runLinks(page: string | undefined): string {
  return page === undefined ? '' : `[run](${page}) · [report](${page}#artifacts)`;
}

/**
 * What a run that did not deliver left in the repository, as it was read back; without a delivery that failed there is nothing to read.
 * @param quote shows a name so that it cannot be taken for something else.
 */
export function leftText(
  { branches, pulls, unread }: LeftBehind = nothingLeft,
  quote: (name: string) => string = name => name,
): string {
  const sentences = [
    ...branches.map(
      ({ name, commit }) =>
        `The branch ${quote(name)} holds the commit ${quote(commit)} of this run.`,
    ),
    ...pulls.map(({ number, change, state }) =>
      change === 'closed' || (change === 'opened' && state === 'open')
        ? `This run ${change} pull request #${number}.`
        : `This run ${change} pull request #${number}, which is ${state} now.`,
    ),
    ...unread.map(
      what => `Photon cannot tell whether this run changed ${quote(what)}: look there on GitHub.`,
    ),
  ];
  return sentences.length === 0 ? 'Nothing was written to the repository.' : sentences.join(' ');
}

/** Content that unfolds when its title is clicked; empty if there is no content. */
export function foldContent(title: string, content: string): string {
  return content === '' ? '' : `<details><summary>${title}</summary>\n\n${content}\n\n</details>`;
}

/** The parts that are not empty, with a blank line between them. */
export function joinParts(parts: readonly string[]): string {
  return `${parts.filter(p => p !== '').join('\n\n')}\n`;
}

/** Maximum bytes of a comment or body. GitHub allows 65,536 characters. */
const maxBodyBytes = 64_000;

/** Replaces a part that was left out. `page` is the address of the run, whose files contain it. */
const leftOut = (page: string | undefined) =>
  `(This part is too long to show here. It is in ${filesLink(page)}.)`;

/** The files of the run, as a link if they have a page. */
export const filesLink = (page: string | undefined) =>
  page ? `[the files of the run](${page})` : 'the files of the run';

/**
 * Joins parts within a number of bytes. A part that does not fit is left out as a whole, so that no fence
 * or table is cut open. The end (footer, mark) is always there.
 */
export function fitParts(
  parts: readonly string[],
  end: readonly string[],
  { maxBytes = maxBodyBytes, page }: { readonly maxBytes?: number; readonly page?: string } = {},
): string {
  const gap = leftOut(page);
  let left = maxBytes - Buffer.byteLength(joinParts(end)) - Buffer.byteLength(gap) - 2;
  const kept: string[] = [];
  for (const part of parts.filter(p => p !== '')) {
    const size = Buffer.byteLength(part) + 2;
    if (size <= left) {
      kept.push(part);
      left -= size;
    } else if (!kept.includes(gap)) kept.push(gap);
  }
  return joinParts([...kept, ...end]);
}
