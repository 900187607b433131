/** The table of commands: name, usage and description. */
import type { Task } from '../../../base/task.ts';
import { nearestNames } from '../../../guard/nearest-names.ts';
import type { TriggerSettings } from '../../../settings/settings.ts';

/** All commands in the order of the help text. */
export const verbs = {
  fix: {
    usage: '/photon fix [--model NAME] [TEXT]',
    does: 'Does what the text asks for, or what the issue describes, and delivers a verified patch.',
  },
  plan: {
    usage: '/photon plan [TEXT]',
    does: 'Makes a plan and posts it with its digest. Changes no files.',
  },
  ask: {
    usage: '/photon ask TEXT',
    does: 'Answers a question about the code, with places that exist. Changes no files.',
  },
  review: {
    usage: '/photon review [TEXT]',
    does: 'Reviews this pull request: findings that code proves, on the lines of the diff. Changes no files.',
  },
  approve: {
    usage: '/photon approve DIGEST',
    does: 'Carries out exactly the plan with this digest.',
  },
  answer: {
    usage: '/photon answer TEXT',
    does: 'Answers Photon’s open question. The task goes on.',
  },
  stop: {
    usage: '/photon stop',
    does: 'Stops the run at work in this conversation, and the commands before this one that wait. Nothing is delivered.',
  },
  'keep-green': {
    usage: '/photon keep-green [off]',
    does: 'Watches this pull request: merges a base that moved, resolves conflicts and repairs failing checks, until a person pushes.',
  },
  retry: {
    usage: '/photon retry',
    does: 'Runs the last task of this conversation again, even if its pull request was closed.',
  },
  undo: {
    usage: '/photon undo [#NUMBER]',
    does: 'Closes the last pull request of this conversation and deletes its branch. After a merge, it names GitHub’s button.',
  },
  status: {
    usage: '/photon status',
    does: 'Lists Photon’s tasks and pull requests in this conversation.',
  },
  accept: {
    usage: '/photon accept [NAMES]',
    does: 'Accepts the pending changes of records that this pull request shows.',
  },
  help: { usage: '/photon help', does: 'Shows this table.' },
} as const satisfies Record<string, { readonly usage: string; readonly does: string }>;

export type Verb = keyof typeof verbs;

/** True for the name of a command. */
export function isVerb(name: string): name is Verb {
  return Object.hasOwn(verbs, name);
}

/** The command that a mistyped one is most similar to; undefined when none is similar. */
export function nearestVerb(typed: string): Verb | undefined {
  const [nearest] = nearestNames(typed, Object.keys(verbs), 1);
  return nearest !== undefined && isVerb(nearest) ? nearest : undefined;
}

/** Where the run of this command stops; undefined when it runs to its end. */
export function chooseEndStage(
  verb: Verb | 'unknown',
  { approve }: Pick<TriggerSettings, 'approve'>,
): Task['until'] {
  if (verb === 'plan') return 'plan';
  if (verb === 'ask') return 'answer';
  if (verb === 'review') return 'review';
  return approve === 'required' ? 'approval' : undefined;
}
