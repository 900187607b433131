/** The commands, once: what each is called, how it is written and what it does. */

/** Every verb in the order that help shows them. */
export const verbs = {
  fix: {
    usage: '/photon fix [words]',
    does: 'Does what the words say, or what the issue describes, and delivers the verified patch.',
  },
  plan: {
    usage: '/photon plan [words]',
    does: 'Makes the plan alone and posts it with its digest; writes nothing.',
  },
  approve: {
    usage: '/photon approve DIGEST',
    does: 'Carries out exactly the plan with this digest.',
  },
  answer: {
    usage: '/photon answer WORDS',
    does: 'Answers the open question of Photon; the task goes on.',
  },
  retry: {
    usage: '/photon retry',
    does: 'Does the last task of this conversation again, also when its pull request was closed.',
  },
  undo: {
    usage: '/photon undo [#NUMBER]',
    does: 'Takes back the last pull request of this conversation: closes it, or reverts it when it was merged.',
  },
  status: {
    usage: '/photon status',
    does: 'Tells the tasks and pull requests of Photon in this conversation.',
  },
  accept: {
    usage: '/photon accept [NAMES]',
    does: 'Takes over the records that wait for a review.',
  },
  help: { usage: '/photon help', does: 'Shows this table.' },
} as const satisfies Record<string, { readonly usage: string; readonly does: string }>;

export type Verb = keyof typeof verbs;

/** True when there is such a command. */
export function isVerb(word: string): word is Verb {
  return Object.hasOwn(verbs, word);
}

/** The command that a mistyped word is nearest to; null when none is within two letters. */
export function nearestVerb(word: string): Verb | null {
  const found = (Object.keys(verbs) as Verb[])
    .map(verb => ({ verb, letters: distance(word.slice(0, 20), verb) }))
    .sort((a, b) => a.letters - b.letters)[0];
  return found !== undefined && found.letters <= 2 ? found.verb : null;
}

/** Letters to add, leave out or exchange (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (let k = 0; k < other.length; k++)
      next.push(
        Math.min(
          (next[k] ?? 0) + 1,
          (row[k + 1] ?? 0) + 1,
          (row[k] ?? 0) + (letter === other[k] ? 0 : 1),
        ),
      );
    row = next;
  }
  return row[other.length] ?? 0;
}
