/** The repository that a task is for, what belongs to it in this process, and what a person may do there. */

import type { TaskTexts } from '../../../agent/context/task-texts.ts';
import type { MemoryPlace } from '../../../memory/open-memory.ts';
import type { RunInput } from '../../../run/run-input.ts';
import type { Settings } from '../../../settings/settings.ts';
import type { Git } from '../../../workspace/git/git.ts';
import type { Author, GitHub } from '../api/github.ts';
import { type Access, type AccessTrigger, decideAccess } from './access.ts';
import { type Authorisation, authorise } from './authorise.ts';

/** What triggers and commands work with. Functions that need less take a part of it. */
export interface RepositoryContext {
  /** The GitHub client, opened at its first use: a local run never opens it. */
  readonly github: () => Promise<GitHub>;
  /** `owner/name`; empty in local use. */
  readonly repository: string;
  /** Branch that results go to unless a setting or a pull request names another. */
  readonly baseRef: string;
  /** Commit of the checkout. */
  readonly baseCommit: string;
  /** Login of the caller: the person or bot that caused this process to start. */
  readonly askedBy: string;
  readonly settings: Settings;
  /** The texts that a trigger adds to a task. */
  readonly taskTexts: TaskTexts;
  readonly input: Pick<RunInput, 'event' | 'workspace' | 'env'>;
  readonly git: Pick<Git, 'mergeText' | 'entriesOf' | 'withholds'>;
  /** Where the records are; null where memory is off or has no place. */
  readonly memory: () => Promise<MemoryPlace | null>;
  readonly log: (line: string) => void;
  /** Removes secrets. */
  readonly scrub: (text: string) => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** What GitHub is asked with about a repository. */
export type RepositoryAccess = Pick<RepositoryContext, 'github' | 'repository' | 'settings'>;

/**
 * May this person or bot give Photon a task, by their role and the lists of the settings?
 * @throws PhotonError `GITHUB_*` when GitHub does not answer.
 */
export async function authoriseAuthor(
  { github, repository, settings }: RepositoryAccess,
  author: Author,
): Promise<Authorisation> {
  return authorise(await github(), { repository, allowedActors: settings.triggers }, author);
}

/**
 * What the access table says when this person or bot pulls a trigger.
 * @throws PhotonError `GITHUB_*` when GitHub does not answer.
 */
export async function checkAccess(
  context: RepositoryAccess,
  trigger: AccessTrigger,
  { author, fork }: { readonly author: Author; readonly fork: boolean },
): Promise<Authorisation & { readonly access: Access }> {
  const authorisation = await authoriseAuthor(context, author);
  const { forks } = context.settings.triggers;
  return { ...authorisation, access: decideAccess(trigger, authorisation.role, { fork, forks }) };
}
