/** The lookups that Photon makes for a call which lacks nothing but navigation (constitution §3.2). */
import { folderOf } from '../../guard/paths.ts';
import { findUnreached } from '../../guard/reach.ts';
import type { ToolCall } from '../../model/turn.ts';
import { listProjectFiles } from '../../tools/list-project-files.ts';
import type { Session } from '../../workspace/session/session.ts';
import type { CallJudgement } from './judge-call.ts';

/**
 * Listings that lead to the tracked files which a refused call names, and to the folders of the new files that it writes.
 * None in strict mode, and none for a call that is refused for another reason.
 */
export async function findLookups(
  { decision, case: judged }: CallJudgement,
  session: Session,
): Promise<readonly ToolCall[]> {
  if (decision.state === 'pass' || judged.policy.reads === 'strict') return [];
  if (decision.code !== 'NAVIGATION_MISSING' && decision.code !== 'PHASE_ORDER') return [];
  const unreached = findUnreached(judged);
  const files = unreached.length === 0 ? [] : (await session.files()).map(f => f.path);
  return unreached.map(path => {
    const isNew = judged.facts.get(path)?.kind === 'missing';
    const args = isNew ? lookupOfNew(path, files) : { folder: path };
    return { id: '', name: listProjectFiles.name, argumentsText: JSON.stringify(args) };
  });
}

/** Looks for a new file in the nearest folder that is there. */
function lookupOfNew(path: string, files: readonly string[]): object {
  let folder = folderOf(path);
  while (folder !== '' && !files.some(f => f.startsWith(`${folder}/`))) folder = folderOf(folder);
  return { folder, pattern: path.replace(/[*?{}]/g, '?').slice(0, 200) };
}
