/** A task of an evaluation: a base without the fix, the tests that judge it, and what a run is told. */
import { createHash } from 'node:crypto';
import { PhotonError } from '../base/codes.ts';
import { oneAtATime } from '../base/once.ts';
import { readOutside } from '../guard/content/outside-text.ts';
import type { FileChange, FileState } from '../workspace/files/change.ts';
import type { Git } from '../workspace/git/git.ts';
import type { ExpectedCases } from './verdict.ts';

export interface EvalTask extends ExpectedCases {
  /** The commit, or the `instance_id` of a task file. */
  readonly id: string;
  readonly title: string;
  /** The text that describes the change. It is data, whoever wrote it. */
  readonly message: string;
  /** Seconds since 1970, of the base. */
  readonly time: number;
  /** Tree of the base: without the fix and without its tests. */
  readonly tree: string;
  readonly tests: readonly FileChange[];
  /** The known fix, for the oracle alone; undefined if the task has none. */
  readonly fix: readonly FileChange[] | undefined;
}

/** True for a path of the configuration, which is the present one in every task. */
export function isOwnPath(path: string): boolean {
  return path.startsWith('.photon/');
}

const configPath = '.photon/config.json';

/**
 * A tree with the present configuration: the folder `.photon` of HEAD, and in it this configuration file if one is given.
 * What is measured is Photon as it is set up now.
 */
export async function withPresentConfig(
  git: Git,
  tree: string,
  config: string | undefined,
): Promise<string> {
  const [then, now] = await Promise.all([git.listTreeEntries(tree), git.listTreeEntries(git.tree)]);
  const own = [...new Set([...then.keys(), ...now.keys()])].filter(isOwnPath);
  const changes: FileChange[] = [];
  for (const path of own) {
    const entry = now.get(path);
    if (entry?.oid === then.get(path)?.oid || path === configPath) continue;
    const bytes = entry === undefined ? undefined : await git.read(entry.oid);
    const after: FileState | undefined =
      entry === undefined || bytes === undefined ? undefined : { mode: entry.mode, bytes };
    changes.push({ path, before: undefined, after });
  }
  const present = config ?? (await presentConfig(git));
  const after: FileState | undefined =
    present === undefined ? undefined : { mode: '100644', bytes: Buffer.from(present) };
  if (after !== undefined || then.has(configPath))
    changes.push({ path: configPath, before: undefined, after });
  return treeWith(git, tree, changes);
}

/** The configuration of HEAD, or of the work tree if its settings are used; undefined if there is none. */
export async function presentConfig(git: Git): Promise<Buffer | undefined> {
  const entry = (await git.listTreeEntries(git.tree)).get(configPath);
  return entry === undefined ? undefined : git.read(entry.oid);
}

/** The same repository for several tasks at a time: trees are written one after the other, as they share an index and a ref. */
export function writingInTurn(git: Git, alone = oneAtATime()): Git {
  return {
    ...git,
    writeTree: changes => alone(() => git.writeTree(changes)),
    applyDiff: to => alone(() => git.applyDiff(to)),
    rebased: async base => writingInTurn(await git.rebased(base), alone),
  };
}

/** A tree with these changes. */
export async function treeWith(
  git: Git,
  tree: string,
  changes: readonly FileChange[],
): Promise<string> {
  const over = await git.rebased({ commit: git.commit, tree });
  return over.writeTree(changes);
}

/** Digest of the present configuration: the ids of its files. */
export async function configFacts(
  git: Git,
  config: string | undefined,
): Promise<readonly string[]> {
  const entries = [...(await git.listTreeEntries(git.tree))].filter(([path]) => isOwnPath(path));
  return [...entries.map(([path, { oid }]) => `${path} ${oid}`), config ?? ''];
}

/** One of several parts. */
export interface TaskPart {
  /** From 1. */
  readonly number: number;
  readonly of: number;
}

/** Parses `2/5`. @throws PhotonError `USAGE`. */
export function parsePart(text: string): TaskPart {
  const [, number = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (number >= 1 && number <= of) return { number, of };
  throw new PhotonError('USAGE', `--part: ${JSON.stringify(text)} is not a part such as 2/5.`);
}

/** True if a task belongs to the part. Which one it is does not change when other tasks are found. */
export function isInPart(id: string, { number, of }: TaskPart): boolean {
  return computeRank('part', id) % of === number - 1;
}

/** At most this many of the tasks, chosen by the seed, in the order of the choice. */
export function chooseTasks<T extends { readonly id: string }>(
  tasks: readonly T[],
  { limit, seed }: { readonly limit: number; readonly seed: string },
): readonly T[] {
  return [...tasks]
    .sort((a, b) => computeRank(seed, a.id) - computeRank(seed, b.id))
    .slice(0, limit);
}

function computeRank(seed: string, id: string): number {
  return createHash('sha256').update(`${seed}\0${id}`).digest().readUIntBE(0, 6);
}

/** What a run is told: the message and the failing tests, or one of them. */
export const promptKinds = ['both', 'subject', 'tests'] as const;
export type PromptKind = (typeof promptKinds)[number];

const bounds = { message: 3000, names: 20, name: 200 } as const;

/** Lines that say who wrote a commit and what it belongs to. */
const trailer =
  /^(?:[A-Z][\w-]*-by|Change-Id|Fixes|Closes|Resolves|Refs?|See|Cc|Bug|Link|Reviewed-on|git-svn-id|\(cherry picked from commit)\b.*[:)].*$/gim;

/** A message without code, hashes, addresses, and the numbers of issues: none of them may point to the fix. */
export function cleanMessage(message: string): string {
  const text = readOutside('problem statement', message)
    .text.replace(/^(```|~~~)[\s\S]*?(?:^\1[ \t]*$|(?![\s\S]))/gm, '')
    .replace(/^(?: {4}|\t|diff --git |@@ |[+-]{3} |[+-](?! )|>).*$/gm, '')
    .replace(/`([^`\n]*)`/g, (_, code: string) => (/^[\w./:#-]{1,80}$/.test(code) ? code : ''))
    .replace(/\b[a-z][a-z0-9+.-]{0,30}:\/\/\S+/gi, '')
    .replace(trailer, '')
    .replace(/\(?(?:(?<![\w.-])[\w.-]+\/[\w.-]+)?(?:#|\bGH-)\d+\)?/g, '')
    .replace(/\b(?=[0-9a-f]*\d)(?=[0-9]*[a-f])[0-9a-f]{7,64}\b/gi, '')
    .replace(/(?<![ \t])[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return text.slice(0, bounds.message);
}

interface PromptTextOptions {
  /** What describes the change; already cleaned. */
  readonly message: string;
  /** Names of the tests that fail; none where they are hidden, or where the test command lists no names. */
  readonly failing: readonly string[];
  readonly kind: PromptKind;
  readonly hidesTests: boolean;
}

/** The text of the task: one sentence of Photon, and a quotation of everything that the repository says. */
export function promptText({ message, failing, kind, hidesTests }: PromptTextOptions): string {
  const names = failing
    .slice(0, bounds.names)
    .map(
      name => `- ${readOutside('test name', name).text.replace(/\s+/g, ' ').slice(0, bounds.name)}`,
    );
  const more = failing.length > names.length ? [`- and ${failing.length - names.length} more`] : [];
  const showsNames = !hidesTests && kind !== 'subject' && names.length > 0;
  const showsMessage = message !== '' && (hidesTests || kind !== 'tests');
  const parts = [
    showsNames ? ['These tests fail:', ...names, ...more].join('\n') : undefined,
    showsMessage ? message : undefined,
  ].filter(item => item !== undefined);
  const request = hidesTests
    ? 'Make the change that the quotation describes. Tests that are not shown check it.'
    : 'Make the failing tests pass.';
  const quoted = parts
    .join('\n\n')
    .split('\n')
    .map(line => `> ${line}`.trimEnd())
    .join('\n');
  return parts.length === 0 ? request : `${request}\n\n${quoted}`;
}
