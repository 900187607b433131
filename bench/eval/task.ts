/** A task of an evaluation: a base without the fix, the tests that judge it, and what a run is told. */
import { createHash } from 'node:crypto';
import { readOutside } from '../../src/guard/content/outside-text.ts';
import type { FileChange } from '../../src/workspace/files/change.ts';

/** A past commit whose tests fail without its source, and pass with it. */
export interface EvalTask {
  /** The commit. */
  readonly id: string;
  readonly title: string;
  /** The text that describes the change. It is data, whoever wrote it. */
  readonly message: string;
  readonly tests: readonly FileChange[];
  /** The known fix, for the oracle alone. */
  readonly fix: readonly FileChange[];
  /** Names of the cases that the fix turns green, and of those that pass with and without it. */
  readonly failing: readonly string[];
  readonly passing: readonly string[];
}

/** At most this many of the tasks, chosen by the seed. */
export const chooseTasks = <T extends { readonly id: string }>(
  tasks: readonly T[],
  limit: number,
  seed: string,
): readonly T[] => {
  const rank = ({ id }: T) => createHash('sha256').update(`${seed}\0${id}`).digest('hex');
  return tasks.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1)).slice(0, limit);
};

/** What a run is told: the message and the failing tests, or one of them. With `hidden`, it gets no tests at all. */
export const promptKinds = ['both', 'subject', 'tests', 'hidden'] as const;
export type PromptKind = (typeof promptKinds)[number];

/** Lines that say who wrote a commit and what it belongs to. */
const trailer =
  /^(?:[A-Z][\w-]*-by|Change-Id|Fixes|Closes|Resolves|Refs?|See|Cc|Bug|Link|\(cherry picked from commit)\b.*[:)].*$/gim;

/** A message without code, hashes, addresses, and the numbers of issues: none of them may point to the fix. */
export function cleanMessage(message: string): string {
  const text = readOutside('task input', message)
    .text.replace(/^(```|~~~)[\s\S]*?(?:^\1[ \t]*$|(?![\s\S]))/gm, '')
    .replace(/^(?: {4}|\t|diff --git |@@ |[+-]{3} |[+-](?! )|>).*$/gm, '')
    .replace(/`([^`\n]*)`/g, (_, code: string) => (/^[\w./:#-]{1,80}$/.test(code) ? code : ''))
    .replace(/\b[a-z][a-z0-9+.-]{0,30}:\/\/\S+/gi, '')
    .replace(trailer, '')
    .replace(/\(?(?:(?<![\w.-])[\w.-]+\/[\w.-]+)?(?:#|\bGH-)\d+\)?/g, '')
    .replace(/\b(?=[0-9a-f]*\d)(?=[0-9]*[a-f])[0-9a-f]{7,64}\b/gi, '')
    .replace(/(?<![ \t])[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n');
  return text.trim().slice(0, 3000);
}

/** The text of the task: one sentence of Photon, and a quotation of everything that the repository says. */
export function promptText({ message, failing }: EvalTask, kind: PromptKind): string {
  const names = failing
    .slice(0, 20)
    .map(name => `- ${readOutside('CI log', name).text.replace(/\s+/g, ' ').slice(0, 200)}`);
  const showsNames = (kind === 'both' || kind === 'tests') && names.length > 0;
  const parts = [
    ...(showsNames ? [['These tests fail:', ...names].join('\n')] : []),
    ...(kind !== 'tests' && message !== '' ? [message] : []),
  ];
  const request =
    kind === 'hidden'
      ? 'Make the change that the quotation describes. Tests that are not shown check it.'
      : 'Make the failing tests pass.';
  const quoted = parts.join('\n\n').replace(/^/gm, '> ').replace(/ $/gm, '');
  return parts.length === 0 ? request : `${request}\n\n${quoted}`;
}
