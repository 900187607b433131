/** Verifies that a patch removes the finding of a scanner: the scanner's command runs without the patch and with it. */
import { PhotonError } from '../base/codes.ts';
import { mayDeliver, type Verification } from '../base/outcome.ts';
import type { AlertTarget } from '../base/task.ts';
import type { CommandFiles } from '../ecosystems/commands/command-files.ts';
import { getStateText } from '../ecosystems/tests/test-role.ts';
import { shell } from '../process/shell.ts';
import type { FileChange } from '../workspace/files/change.ts';
import type { BaseFiles } from './base-files.ts';
import type { VerificationResult } from './prove-verdict.ts';
import { type Alert, parseSarif } from './reports/sarif.ts';
import type { RunOptions } from './run-tests.ts';
import { requireStarted, runInView } from './set-up/run-in-view.ts';
import type { Verifier } from './verify.ts';

interface AlertOptions
  extends Pick<RunOptions, 'open' | 'network' | 'timeoutMs' | 'scrub' | 'log' | 'signal'>,
    Omit<BaseFiles, 'setUpFiles'> {
  readonly target: AlertTarget;
  /** The command of the scanner. */
  readonly command: string;
  /** Path of the SARIF file that it writes. */
  readonly report: string;
  /** Absolute path of the checkout, which a scanner may name in its file. */
  readonly workspace: string;
}

const outputBytes = 200_000;
const tailChars = 1_000;
const maxNamed = 10;

/** The verifier, which also runs the scanner with each patch that passes the tests. */
export function withAlert(verifier: Verifier, options: AlertOptions): Verifier {
  let base: Promise<readonly Alert[]> | undefined;
  const scanBase = async () => {
    base ??= scan(options, []).then(found => {
      if (typeof found !== 'string') return found;
      throw new PhotonError('SARIF_INVALID', `sarif-command, without a patch: ${found}`);
    });
    return base;
  };
  return {
    ...verifier,
    verify: async (changes, patchDigest, mayEndEarly) => {
      const result = await verifier.verify(changes, patchDigest, mayEndEarly);
      if (!mayDeliver(result.verification) || changes.length === 0) return result;
      const before = await scanBase();
      // with the scanner and its configuration as they are in the base
      const files = await options.commandFiles();
      const scanned = changes.filter(({ path }) => !steersScan(path, files));
      const after = await scan(options, scanned);
      return addVerdict(result, options, { changes: scanned, before, after });
    },
  };
}

/** Configuration of scanners, and lists of files that they leave out. */
const steering: readonly RegExp[] = [
  /(^|\/)(\.eslintrc|eslint\.config|\.oxlintrc|biome|\.stylelintrc|tslint|\.jshintrc)(\.[^/]+)?$/i,
  /(^|\/)\.(eslint|semgrep|git|snyk|trivy|bandit|checkov|gitleaks|stylelint)[^/]*$/i,
  /(^|\/)\.semgrep\/|^\.github\/codeql\/|(^|\/)(semgrep|codeql[^/]*)\.ya?ml$/i,
  /(^|\/)\.?(flake8|pylintrc|ruff\.toml|rubocop\.yml|golangci\.[a-z]+)$/i,
  /(^|\/)(sonar-project\.properties|phpstan[^/]*\.neon(\.dist)?|clippy\.toml|detekt\.yml)$/i,
];

/** True for a file that decides what the scanner reports. */
function steersScan(path: string, { started, isNamed }: CommandFiles): boolean {
  return started.has(path) || isNamed(path) || steering.some(s => s.test(path));
}

/** What the scanner reports with these changes, or why it reports nothing. */
async function scan(
  options: AlertOptions,
  changes: readonly FileChange[],
): Promise<readonly Alert[] | string> {
  const { command, report, workspace, scrub, log, signal } = options;
  signal.throwIfAborted();
  const place = await options.open(changes, signal);
  const { view } = place;
  try {
    log(`Scan: ${command} (${changes.length} changed files)`);
    // an older file must not count as the file of this run
    const end = await runInView(place, {
      caller: 'scan',
      command: `${shell.removing(report)}${command}`,
      network: options.network === 'allow',
      timeoutMs: options.timeoutMs,
      maxOutputBytes: outputBytes,
      signal,
    });
    requireStarted(end, scrub);
    const output = scrub(end.output).trim().slice(-tailChars) || 'It printed nothing.';
    if (end.limit !== undefined) return `it reached its ${end.limit} limit. ${output}`;
    // scanners that find something end with other statuses than 0
    const text = view.readReport(report);
    if (text === undefined) return `it wrote no ${report} (exit status ${end.exitCode}). ${output}`;
    if (text === 'too-large') return `${report} is larger than 10 MB.`;
    const paths = new Set(await options.paths());
    for (const { path, after } of changes)
      after === undefined ? paths.delete(path) : paths.add(path);
    return parseSarif(text, { workspace, has: path => paths.has(path) }).alerts;
  } catch (error) {
    if (error instanceof PhotonError && error.code === 'SARIF_INVALID')
      return `${report}: ${error.message}`;
    throw error;
  } finally {
    await view.close();
  }
}

interface Scans {
  readonly changes: readonly FileChange[];
  readonly before: readonly Alert[];
  readonly after: readonly Alert[] | string;
}

async function addVerdict(
  { verification, message, code }: VerificationResult,
  { target, command, readBase, scrub }: AlertOptions,
  { changes, before, after }: Scans,
): Promise<VerificationResult> {
  const about = { command, rule: target.rule, path: target.path, line: target.startLine };
  const fail = (why: string): VerificationResult => {
    const reason = scrub(why);
    const failed: Verification = {
      ...verification,
      passed: false,
      unjudged: false,
      code: 'VERIFY_ALERT',
      reason,
      alert: { ...about, gone: false },
    };
    return {
      verification: failed,
      code: 'VERIFY_ALERT',
      message: `Verification failed: VERIFY_ALERT.\nThe test command passes. ${reason}`,
    };
  };
  if (typeof after === 'string') return fail(`sarif-command, with the patch: ${after}`);
  const old = await readBase(target.path);
  const change = changes.find(c => c.path === target.path);
  const judgement = judgeAlert({
    target,
    before,
    after,
    linesBefore: splitLines(old),
    linesAfter: splitLines(change === undefined ? old : getStateText(change.after)),
  });
  if (!judgement.known)
    throw new PhotonError(
      'SARIF_INVALID',
      `sarif-command does not report ${describeAlert(target)} without the patch.`,
      { hint: 'Let sarif-command run the scan that wrote the file of sarif, on this commit.' },
    );
  const { gone, fresh } = judgement;
  if (!gone) return fail(`The scanner still reports ${describeAlert(target)}.`);
  if (fresh.length > 0) {
    const named = fresh
      .slice(0, maxNamed)
      .map(a => `${describeAlert(a)}: ${a.message.slice(0, 200)}`);
    return fail(`The scanner reports ${fresh.length} new findings: ${named.join('; ')}`);
  }
  const alert = { ...about, gone };
  const line = `The scanner no longer reports ${describeAlert(target)}, and reports nothing new.`;
  return { verification: { ...verification, alert }, code, message: `${message}\n${line}` };
}

function describeAlert({ rule, path, startLine }: AlertTarget): string {
  return `${rule || 'a finding'} in ${path}${startLine === null ? '' : `:${startLine}`}`;
}

function splitLines(text: string | undefined): readonly string[] {
  return text === undefined ? [] : text.split(/\r\n|\r|\n/);
}

interface ScanFacts {
  readonly target: AlertTarget;
  readonly before: readonly Alert[];
  readonly after: readonly Alert[];
  /** Lines of a file without the patch and with it; empty if the file does not exist. */
  readonly linesBefore: readonly string[];
  readonly linesAfter: readonly string[];
}

interface AlertJudgement {
  /** False if the finding is not among those before: then nothing can be judged. */
  readonly known: boolean;
  readonly gone: boolean;
  /** Findings that were not there before. */
  readonly fresh: readonly Alert[];
}

/**
 * The finding is gone if the scanner no longer reports it and its file has fewer findings of the rule. Nothing is new if no
 * file has more findings of a rule than before. Suppressed findings count: a suppression repairs nothing.
 */
export function judgeAlert(facts: ScanFacts): AlertJudgement {
  const { target, before, after, linesBefore, linesAfter } = facts;
  const known = findTarget(target, before);
  if (known === undefined) return { known: false, gone: false, fresh: [] };
  const own = getScope(known);
  const inScope = (alerts: readonly Alert[]) => alerts.filter(a => getScope(a) === own);
  const wanted = getIdentity(known, linesBefore);
  const times = (alerts: readonly Alert[], lines: readonly string[]) =>
    inScope(alerts).filter(a => getIdentity(a, lines) === wanted).length;
  const gone =
    inScope(after).length < inScope(before).length &&
    times(after, linesAfter) < times(before, linesBefore);
  return { known: true, gone, fresh: findNewAlerts(before, after) };
}

/** The target among the findings of a scan: by its fingerprints, otherwise by its line. */
function findTarget(target: AlertTarget, alerts: readonly Alert[]): Alert | undefined {
  const same = alerts.filter(a => getScope(a) === getScope(target));
  return (
    same.find(a => a.identity !== '' && a.identity === target.identity) ??
    same.find(a => a.startLine === target.startLine && a.message === target.message) ??
    same.find(a => a.startLine === target.startLine)
  );
}

function getScope({ tool, rule, path }: AlertTarget): string {
  return JSON.stringify([tool, rule, path]);
}

/** What a finding keeps when lines above it are added or removed. */
function getIdentity({ identity, message, startLine }: Alert, lines: readonly string[]): string {
  const line = startLine === null ? '' : (lines[startLine - 1] ?? '').trim();
  return identity === '' ? JSON.stringify([message, line]) : identity;
}

function findNewAlerts(before: readonly Alert[], after: readonly Alert[]): readonly Alert[] {
  const earlier = Map.groupBy(before, getScope);
  return [...Map.groupBy(after, getScope)].flatMap(([scope, alerts]) => {
    const known = earlier.get(scope) ?? [];
    const more = alerts.length - known.length;
    if (more <= 0) return [];
    const prints = new Set(known.map(a => a.identity || a.message));
    const unknown = alerts.filter(a => !prints.has(a.identity || a.message));
    return [...unknown, ...alerts.filter(a => !unknown.includes(a))].slice(0, more);
  });
}
