/** What the entries of a ledger state, held against what the same ledger shows elsewhere. Pure. */
import { maxNewPaths, namedPaths } from '../agent/context/prompt.ts';
import { digest, hashJson } from '../base/digest.ts';
import { hasPatch, type Outcome, patchMessage } from '../base/outcome.ts';
import { asObject } from '../base/schema-issue.ts';
import type { Evidence } from '../guard/evidence.ts';
import { normalisePath, protectedMatcher } from '../guard/paths.ts';
import type { LedgerEntry } from '../ledger/ledger.ts';
import type { Entry } from '../ledger/ledger-entry.ts';
import { limitSettings } from '../settings/limits.ts';
import { deriveOutcome, listStated } from './derive-outcome.ts';

/** Fields of the outcome that each step of the engine may state; a call may state what a verification found. */
const own = new Map<string, readonly string[]>([
  ['run.start', ['photon', 'repository', 'page', 'startedAt']],
  ['run.settings', ['engine', 'model', 'provider', 'endpoint', 'settings']],
  ['run.task', ['task']],
  ['reapply', ['verification']],
  ['sandbox.use', ['sandbox']],
  ['run.note', ['notes']],
]);

/** Why an entry may not state what it states, or is not of its run; undefined if it may and is. */
export function findForeign(entry: Entry, earlier: readonly Entry[]): string | undefined {
  const { tool, call, states = {}, caller } = entry;
  const first = earlier[0] ?? entry;
  if (caller !== first.caller) return `caller: ${caller}, and ${first.caller} in the first entry`;
  const backed = tool === 'run.end' ? listStated(earlier as readonly LedgerEntry[]) : [];
  const allowed = call === undefined ? (own.get(tool) ?? []) : ['verification'];
  const may = (name: string) =>
    tool === 'run.end' ? !backed.includes(name) : allowed.includes(name);
  const foreign = Object.keys(states).find(name => !may(name));
  return foreign === undefined ? undefined : `${foreign}: ${tool} may not state it`;
}

/** The time at which an entry runs backwards; undefined if it does not. */
export function findBackwards(
  { time, states }: Entry,
  previous: Entry | undefined,
): string | undefined {
  const at = Date.parse(time);
  if (Number.isNaN(at)) return 'the time of the entry cannot be read';
  if (previous !== undefined && at < Date.parse(previous.time))
    return `${time} is before the entry before it, ${previous.time}`;
  const begun = states?.startedAt;
  return begun === undefined || Date.parse(String(begun)) <= at
    ? undefined
    : `the run began at ${begun}, after this entry`;
}

/** Most paths that an entry names, and characters of each. */
const [maxPaths, maxPath] = [100, 300];

/** Why the paths of a call are not those that its claims and its evidence name; undefined if they are. */
export function findOtherPaths(entry: Entry, { patchedFiles }: Evidence): string | undefined {
  const { call, paths, decision } = entry;
  if (call === undefined) return undefined;
  const claimed = call.claims.flatMap(claim => {
    const needed = decision === 'abstain' ? 'path' in claim : /^(read|write)$/.test(claim.kind);
    return needed && 'path' in claim ? [claim.path] : [];
  });
  const seen = call.events.flatMap(event => {
    if (event.kind === 'read') return [event.path];
    if (event.kind === 'patched') return event.known.map(k => k.path);
    return event.kind === 'verified' ? [...patchedFiles] : [];
  });
  const plain = (path: string) => normalisePath(path) ?? path;
  const due = decision === 'abstain' ? claimed : [...claimed, ...seen];
  const expected = new Set(
    due.flatMap(path => {
      const known = decision === 'abstain' ? normalisePath(path) : plain(path);
      return known === undefined ? [] : [known.slice(0, maxPath)];
    }),
  );
  const named = new Set(paths.map(plain));
  const missing = [...expected].find(path => !named.has(path));
  return missing === undefined || paths.length >= maxPaths
    ? undefined
    : `paths: ${entry.tool} names no ${missing}`;
}

/** The first thing that a whole ledger states and that its other entries contradict, or undefined. */
export function findContradiction(
  entries: readonly Entry[],
  evidence: Evidence | undefined,
): string | undefined {
  const outcome = deriveOutcome(entries as readonly LedgerEntry[]) as unknown as Outcome;
  return (
    findOtherPolicy(entries, outcome) ??
    findOtherTask(entries) ??
    (evidence === undefined ? undefined : findOtherPatch(entries, outcome, evidence))
  );
}

/** More violations than constitution and settings allow. */
function findOtherPolicy(entries: readonly Entry[], { settings }: Outcome): string | undefined {
  const policy = entries[0]?.policy;
  if (policy === undefined || settings === undefined) return undefined;
  const { key, default: usual } = limitSettings.violations;
  const set = Number(settings[key]?.value ?? usual);
  const allowed = Math.max(policy.constitution.limits.violations, set);
  return policy.violations === allowed
    ? undefined
    : `violations: the run survives ${policy.violations}, and constitution and settings allow ${allowed}`;
}

/** A text or paths that are not those of the task. Where something was cut or blanked, that cannot be told. */
function findOtherTask(entries: readonly Entry[]): string | undefined {
  const { text, states, facts } = entries.find(e => e.tool === 'run.task') ?? {};
  const initial = entries.find(e => e.initial !== undefined)?.initial;
  if (text === undefined || facts?.cut === true) return undefined;
  if (digest(text) !== asObject(states?.task).digest)
    return 'text of the task: it has another sha256 than the task';
  if (initial === undefined || /\*\*\*|\(secret\)/.test(text)) return undefined;
  const { taskPaths } = initial;
  const named = namedPaths({ prompt: text, context: [] }, taskPaths);
  const foreign = taskPaths.find(path => !named.includes(path));
  const missing = named.find(path => !taskPaths.includes(path));
  if (foreign !== undefined) return `paths of the task: its text names no ${foreign}`;
  return missing !== undefined && taskPaths.length < maxNewPaths
    ? `paths of the task: its text names ${missing}`
    : undefined;
}

/** The pattern by which the constitution flags every name that begins with a dot; a task may declare some of them. */
const anyDotName = '**/.*';

/** Patch, verification, flags, skills and message that are not those of the entries. */
function findOtherPatch(
  entries: readonly Entry[],
  outcome: Outcome,
  evidence: Evidence,
): string | undefined {
  const findFacts = (tool: string) => entries.findLast(e => e.tool === tool)?.facts ?? {};
  const [moved, delivered] = [findFacts('reapply'), findFacts('deliver')];
  const { patch, verification, status, code, message, skills = [] } = outcome;
  const now = moved.patch ?? evidence.patchDigest;
  const proven = entries.flatMap(e => e.call?.events ?? []).findLast(e => e.kind === 'verified');
  const verified = now === evidence.patchDigest ? proven?.patchDigest : now;
  const isOut = hasPatch(status);
  const flagged = patch?.files.filter(f => f.flag !== undefined) ?? [];
  const mustFlag = protectedMatcher(
    (entries[0]?.policy?.constitution.flaggedPaths ?? []).filter(p => p !== anyDotName),
  );
  const unflagged = patch?.files.find(f => f.flag === undefined && mustFlag(f.path) !== undefined);
  const used = [...evidence.skillUse].map(([name, use]) => ({ name, ...use }));
  type Pair = readonly [what: string, stated: unknown, shown: unknown];
  const pairs: Pair[] = [['flag', unflagged?.path, undefined]];
  // what failed may have been cut off between a change and its entry
  if (status !== 'failed')
    pairs.push(
      ['patch', patch?.digest, now],
      ['skills', hashJson(skills.map(({ version: _version, ...use }) => use)), hashJson(used)],
    );
  // a baseline alone is a verification of no patch
  if (verification?.patchDigest) pairs.push(['verified patch', verification.patchDigest, verified]);
  if (isOut)
    pairs.push(
      ['tree', patch?.tree, delivered.tree],
      ['files', patch?.files.length, delivered.files],
      ['flagged files', flagged.length, delivered.flagged],
      ['message', message, patchMessage(code as never, verification)],
    );
  const other = pairs.find(([, stated, shown]) => stated !== shown);
  return other && `${other[0]}: ${other[1] ?? 'none'}, and ${other[2] ?? 'none'} in other entries`;
}
