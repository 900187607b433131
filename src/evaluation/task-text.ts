/** The text of a task, from the message of a past commit. The message is data: it is quoted, cleaned and bounded. Pure. */
import { readOutside } from '../guard/content/outside-text.ts';

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
