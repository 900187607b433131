/** A pull request of a dependency bot: what it updates, and the task of adapting the code to it. */
import type { ContextText, DependencyUpdate, Task } from '../../../base/task.ts';
import { lockFile } from '../../../guard/paths.ts';
import type { GitHub } from '../api/github.ts';
import { getStatus } from '../api/github-errors.ts';
import type { RepositoryContext } from '../auth/repository-context.ts';

const bots: ReadonlySet<string> = new Set(['dependabot[bot]', 'renovate[bot]']);

/** Branches of these bots, also where they run under another account. */
const branches = /^(?:dependabot|renovate)\//;

/** Names and versions come from a manifest of the branch. Any other text is left out. */
const names = /^[@\w][\w@./:+-]{0,199}$/;
const versions = /^[\w.+~^*<>=, -]{1,60}$/;

/** Maximum number of updates that a task names. */
const maxUpdates = 20;

/** True if a dependency bot opened the pull request of this branch, which is in this repository. */
export function isUpdatePull({
  ref,
  login,
}: {
  readonly ref: string;
  readonly login: string | undefined;
}): boolean {
  return branches.test(ref) || bots.has(login ?? '');
}

/**
 * Makes the task of a command or a failure one of adapting the code to the updates between two commits. It keeps the
 * words of a command; without words the prompt says what to do.
 */
export async function asUpdateTask(
  { github, taskTexts }: Pick<RepositoryContext, 'github' | 'taskTexts'>,
  task: Task,
  { base, head, hasWords }: { base: string; head: string; hasWords: boolean },
): Promise<Task> {
  const updates = await readUpdates(github, { base, head });
  const lines = updates.map(update => taskTexts('update', { ...update }));
  const shown: readonly ContextText[] =
    lines.length === 0
      ? []
      : [{ label: taskTexts('updates_label', {}), author: 'GitHub', text: lines.join('\n') }];
  return {
    ...task,
    prompt: hasWords ? task.prompt : taskTexts('update_pull', {}),
    context: [...task.context, ...shown],
    updates,
  };
}

/** The updates that GitHub's dependency graph sees; empty if it is switched off or does not answer. */
async function readUpdates(
  github: GitHub,
  { base, head }: { base: string; head: string },
): Promise<readonly DependencyUpdate[]> {
  try {
    const { data } = await github.rest.dependencyGraph.diffRange({
      ...github.where,
      basehead: `${base}...${head}`,
    });
    return findUpdates(data);
  } catch (error) {
    github.log(
      `GitHub: Photon cannot read which dependencies changed (${getStatus(error) ?? 'no answer'}). The dependency graph may be off.`,
    );
    return [];
  }
}

type Change = Awaited<ReturnType<GitHub['rest']['dependencyGraph']['diffRange']>>['data'][number];

/** Packages that have one version before and another after, those of a manifest before those of a lock file alone. */
function findUpdates(changes: readonly Change[]): readonly DependencyUpdate[] {
  const plain = changes.filter(c => names.test(c.name) && versions.test(c.version));
  const key = ({ ecosystem, name }: Change) => `${ecosystem} ${name}`;
  const removed = new Map(
    plain.filter(c => c.change_type === 'removed').map(c => [key(c), c.version]),
  );
  const isLock = ({ manifest }: Change) => lockFile.test(manifest);
  const added = plain
    .filter(c => c.change_type === 'added')
    .sort((a, b) => Number(isLock(a)) - Number(isLock(b)));
  const found = new Map<string, DependencyUpdate>();
  for (const change of added) {
    const { name, version: to, ecosystem } = change;
    const from = removed.get(key(change));
    if (from === undefined || from === to || found.has(key(change))) continue;
    found.set(key(change), { name, from, to, ecosystem: ecosystem.slice(0, 20) });
  }
  return [...found.values()].slice(0, maxUpdates);
}
