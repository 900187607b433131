/** Parses SARIF 2.1.0, as CodeQL, Semgrep, ESLint and others write it, into the findings in files of the repository. Pure. */

import { posix } from 'node:path';
import * as z from 'zod';
import { PhotonError } from '../../base/codes.ts';
import { once } from '../../base/once.ts';
import { countEach } from '../../base/plural.ts';
import { readJson } from '../../base/schema-issue.ts';
import { decodePercent } from '../../base/system-errors.ts';
import type { AlertTarget } from '../../base/task.ts';

/** One finding of a scanner in a file of the repository. All of its text is untrusted. */
export interface Alert extends AlertTarget {
  readonly endLine: number | undefined;
  /** Lines and columns. */
  readonly position: string;
  readonly level: Level;
  /** 0 to 10; undefined if the rule has none. */
  readonly securitySeverity: number | undefined;
  /** 0 to 100, or -1. */
  readonly rank: number;
  /** What the rule is about, and how to repair it. */
  readonly help: string;
  /** True if a person or a comment in the code accepted it. */
  readonly suppressed: boolean;
  /** True if it belongs to the baseline that the scanner compared with. */
  readonly unchanged: boolean;
}

export interface SarifReport {
  /** Each finding once. */
  readonly alerts: readonly Alert[];
  /** Number of findings that are in no file of the repository. */
  readonly elsewhere: number;
}

type Level = 'error' | 'warning' | 'note' | 'none';

/** GitHub's own limits for a file. */
const maxRuns = 20;
const maxResults = 25_000;
const maxText = 4_000;

const text = z.string().nullish();
const whole = z.number().nullish();
const message = once(() => z.object({ text, markdown: text }).nullish());
const artifact = once(() => z.object({ uri: text, uriBaseId: text }).nullish());
const level = z.enum(['error', 'warning', 'note', 'none']).nullish();
const rule = once(() =>
  z.object({
    id: text,
    name: text,
    shortDescription: message(),
    fullDescription: message(),
    help: message(),
    defaultConfiguration: z.object({ level, rank: whole }).nullish(),
    properties: z.looseObject({}).nullish(),
  }),
);
const component = once(() => z.object({ name: text, rules: z.array(rule()).nullish() }));
const result = once(() =>
  z.object({
    ruleId: text,
    ruleIndex: whole,
    rule: z
      .object({ id: text, index: whole, toolComponent: z.object({ index: whole }).nullish() })
      .nullish(),
    kind: text,
    level,
    rank: whole,
    message: message(),
    baselineState: text,
    suppressions: z.array(z.object({ status: text })).nullish(),
    fingerprints: z.record(z.string(), z.string()).nullish(),
    partialFingerprints: z.record(z.string(), z.string()).nullish(),
    locations: z
      .array(
        z.object({
          physicalLocation: z
            .object({
              artifactLocation: artifact(),
              region: z
                .object({ startLine: whole, startColumn: whole, endLine: whole, endColumn: whole })
                .nullish(),
            })
            .nullish(),
        }),
      )
      .nullish(),
  }),
);
const log = once(() =>
  z.object({
    version: z.literal('2.1.0'),
    runs: z
      .array(
        z.object({
          tool: z.object({ driver: component(), extensions: z.array(component()).nullish() }),
          originalUriBaseIds: z.record(z.string(), artifact()).nullish(),
          results: z.array(result()).max(maxResults).nullish(),
        }),
      )
      .max(maxRuns),
  }),
);

type Run = z.infer<ReturnType<typeof log>>['runs'][number];
type Result = z.infer<ReturnType<typeof result>>;
type Rule = z.infer<ReturnType<typeof rule>>;

/**
 * Reads a SARIF file. What the standard does not call a finding is left out: results of another kind than `fail`, and
 * those that are absent now.
 * @throws PhotonError `SARIF_INVALID` with the place of the mistake.
 */
export function parseSarif(file: string, files: RepositoryFiles): SarifReport {
  const fail = (why: string) => new PhotonError('SARIF_INVALID', `It is not JSON: ${why}`);
  const parsed = log().safeParse(readJson(file.replace(/^\ufeff/, ''), fail));
  if (!parsed.success) {
    const [problem] = parsed.error.issues;
    const where = problem?.path.map(String).join('/') ?? '';
    throw new PhotonError('SARIF_INVALID', `/${where}: ${problem?.message}`);
  }
  const alerts = new Map<string, Alert>();
  let elsewhere = 0;
  for (const run of parsed.data.runs) {
    const results = (run.results ?? []).filter(
      each => (each.kind ?? 'fail') === 'fail' && each.baselineState !== 'absent',
    );
    const paths = placeInRepository(
      results.map(each => resolvedIn(run, each)),
      files,
    );
    for (const [i, each] of results.entries()) {
      const path = paths[i];
      if (path === undefined) elsewhere += 1;
      else {
        const alert = makeAlert(run, each, path);
        if (!alerts.has(keyOf(alert))) alerts.set(keyOf(alert), alert);
      }
    }
  }
  return { alerts: [...alerts.values()], elsewhere };
}

function keyOf({ tool, rule: id, path, identity, position, suppressed }: Alert): string {
  return JSON.stringify([tool, id, path, identity || position, suppressed]);
}

function resolvedIn(run: Run, given: Result): string | undefined {
  const { artifactLocation } = given.locations?.[0]?.physicalLocation ?? {};
  const bases = Object.fromEntries(
    Object.entries(run.originalUriBaseIds ?? {}).map(([id, base]) => [id, plain(base)]),
  );
  return resolveSarifPath(plain(artifactLocation), bases);
}

function makeAlert(run: Run, given: Result, path: string): Alert {
  const { region } = given.locations?.[0]?.physicalLocation ?? {};
  const about = findRule(run, given);
  const { startLine, startColumn, endLine, endColumn } = region ?? {};
  const prints = [given.fingerprints, given.partialFingerprints].find(
    each => each != null && Object.keys(each).length > 0,
  );
  const position = [startLine, startColumn, endLine, endColumn].map(n => n ?? '').join(':');
  const states = (given.suppressions ?? []).map(s => s.status ?? 'accepted');
  const severity = Number.parseFloat(String(about?.properties?.['security-severity'] ?? ''));
  return {
    tool: (run.tool.driver.name ?? '').slice(0, 100),
    rule: (given.ruleId ?? given.rule?.id ?? about?.id ?? '').slice(0, 200),
    path,
    startLine: readLine(startLine ?? undefined) ?? null,
    endLine: readLine(endLine ?? startLine ?? undefined),
    identity: prints == null ? '' : JSON.stringify(Object.entries(prints).sort()).slice(0, 2000),
    position,
    message: (given.message?.text ?? given.message?.markdown ?? '').slice(0, maxText),
    level: given.level ?? about?.defaultConfiguration?.level ?? 'warning',
    securitySeverity: severity >= 0 && severity <= 10 ? severity : undefined,
    rank: given.rank ?? about?.defaultConfiguration?.rank ?? -1,
    help: formatHelp(about),
    // one suppression that was rejected or is under review leaves the result unsuppressed
    suppressed: states.length > 0 && states.every(status => status === 'accepted'),
    unchanged: given.baselineState === 'unchanged',
  };
}

function plain(place: z.infer<ReturnType<typeof artifact>>) {
  return { uri: place?.uri ?? undefined, uriBaseId: place?.uriBaseId ?? undefined };
}

const readLine = (line: number | undefined) =>
  line != null && Number.isInteger(line) && line >= 1 ? line : undefined;

/** The rule of a result: by its index in the driver or an extension, or by its id, which may have parts behind it. */
function findRule({ tool }: Run, { rule: reference, ruleIndex, ruleId }: Result): Rule | undefined {
  const of = reference?.toolComponent?.index;
  const owner = of == null ? tool.driver : tool.extensions?.[of];
  const byIndex = owner?.rules?.[reference?.index ?? ruleIndex ?? -1];
  if (byIndex !== undefined) return byIndex;
  const id = ruleId ?? reference?.id;
  if (id == null) return undefined;
  const all = [tool.driver, ...(tool.extensions ?? [])].flatMap(each => each.rules ?? []);
  return all.find(r => r.id === id) ?? all.find(r => r.id && id.startsWith(`${r.id}/`));
}

function formatHelp(about: Rule | undefined): string {
  const { shortDescription, fullDescription, help } = about ?? {};
  const texts = [shortDescription?.text, fullDescription?.text, help?.markdown ?? help?.text];
  return [...new Set(texts.filter(each => each != null && each.trim() !== ''))]
    .join('\n\n')
    .slice(0, maxText);
}

const order: readonly Level[] = ['error', 'warning', 'note', 'none'];

/** The findings to repair, the most severe first: by security-severity, level, rank and place. */
export function rankAlerts(alerts: readonly Alert[]): readonly Alert[] {
  return alerts
    .filter(alert => !alert.suppressed && !alert.unchanged)
    .sort(
      (a, b) =>
        (b.securitySeverity ?? -1) - (a.securitySeverity ?? -1) ||
        order.indexOf(a.level) - order.indexOf(b.level) ||
        b.rank - a.rank ||
        (a.path < b.path ? -1 : a.path > b.path ? 1 : 0) ||
        (a.startLine ?? 0) - (b.startLine ?? 0),
    );
}

interface SarifLocation {
  readonly uri?: string | undefined;
  readonly uriBaseId?: string | undefined;
}

interface RepositoryFiles {
  /** Absolute path of the checkout. */
  readonly workspace: string;
  readonly has: (path: string) => boolean;
}

const maxBases = 10;

/** The path that a location names, absolute or from the root of the repository; undefined for what is no file. */
function resolveSarifPath(
  place: SarifLocation,
  bases: Readonly<Record<string, SarifLocation>>,
): string | undefined {
  let path = parseUri(place.uri ?? '');
  let { uriBaseId } = place;
  for (let i = 0; path !== undefined && !path.startsWith('/') && uriBaseId !== undefined; i++) {
    const base: SarifLocation | undefined = bases[uriBaseId];
    if (base === undefined || i >= maxBases) break;
    const folder = base.uri === undefined ? '' : parseUri(base.uri);
    path = folder === undefined ? undefined : posix.join(folder, path);
    uriBaseId = base.uriBaseId;
  }
  return path === undefined || path === '' ? undefined : posix.normalize(path);
}

/**
 * The files of the repository for resolved paths. Where the scanner ran in another folder or on another machine, its
 * root is the folder below which most paths are files of the repository.
 */
function placeInRepository(
  resolved: readonly (string | undefined)[],
  { workspace, has }: RepositoryFiles,
): readonly (string | undefined)[] {
  const below = (root: string, path: string) =>
    path.startsWith(`${root}/`) && has(path.slice(root.length + 1))
      ? path.slice(root.length + 1)
      : undefined;
  const foreign = resolved.filter(
    path => path?.startsWith('/') && !path.startsWith(`${workspace}/`),
  );
  const roots = countEach(foreign.flatMap(path => findRoots(path ?? '', has)));
  const [found] = [...roots].sort(([a, m], [b, n]) => n - m || a.length - b.length);
  return resolved.map(path => {
    if (path === undefined) return undefined;
    if (!path.startsWith('/')) return has(path) ? path : undefined;
    return below(workspace, path) ?? (found === undefined ? undefined : below(found[0], path));
  });
}

/** The folder below which the longest end of a path is a file of the repository. */
function findRoots(path: string, has: (path: string) => boolean): readonly string[] {
  const parts = path.split('/');
  const at = parts.findIndex((_, i) => i > 0 && has(parts.slice(i).join('/')));
  return at < 0 ? [] : [parts.slice(0, at).join('/')];
}

/** A URI, or a path, with slashes; undefined for another scheme and for what cannot be decoded. */
function parseUri(uri: string): string | undefined {
  const slashed = uri.replaceAll('\\', '/');
  const [scheme = ''] = /^[a-z][a-z0-9+.-]*:/i.exec(slashed) ?? [];
  if (scheme !== '' && scheme.toLowerCase() !== 'file:') return undefined;
  // the host of file://host/path is no part of the path
  const path = slashed.slice(scheme.length).replace(/^\/\/[^/]*(?=\/)/, '');
  const decoded = decodePercent(path); // a plain path that is no URI stays, such as 100%.js
  return decoded.includes('\0') ? undefined : decoded;
}
