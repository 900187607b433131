/** What becomes of a refused call: the lookups that it lacks, or a text with the code, what is missing and what to do. */
import { codes } from '../../base/codes.ts';
import type { Refusal } from '../../guard/decide.ts';
import { folderOf } from '../../guard/paths.ts';
import { findUnreached } from '../../guard/reach.ts';
import type { ToolCall } from '../../model/turn.ts';
import { findMeant } from '../../skills/tool-aliases.ts';
import { listProjectFiles } from '../../tools/list-project-files.ts';
import { renderSkillError } from '../../tools/skill-activate.ts';
import type { Session } from '../../workspace/session/session.ts';
import { fill, type Profile } from '../context/profile.ts';
import type { CallJudgement } from './judge-call.ts';

export interface RefusedCall {
  readonly call: ToolCall;
  /** Arguments that do not fit the schema, as they were received. */
  readonly received: readonly string[] | undefined;
  /** The skills that grant a tool that is not permitted. */
  readonly granting: readonly string[];
}

/** A refusal for the model; one of a skill call has the form of the answers to these calls. */
export function renderRefusal(
  templates: Profile['templates'],
  { call: { name }, received = [], granting }: RefusedCall,
  { code, evidence: found }: Refusal,
): string {
  const echoes = code === 'ARGUMENTS_INVALID' && received.length > 0;
  const evidence = echoes ? `${found} (received: ${received.join('; ')})` : found;
  // the name of another agent's tool
  const meant = code === 'TOOL_NOT_PERMITTED' ? findMeant(name) : undefined;
  const hint =
    granting.length > 0
      ? `Activate a skill that grants it: ${granting.slice(0, 5).join(', ')}.`
      : meant === undefined
        ? codes[code].hint
        : `${name} is ${meant} here.`;
  return name === 'skill_activate' || name === 'skill_deactivate'
    ? renderSkillError(`${code}: ${evidence}. ${hint}`)
    : fill(templates, 'refusal', { code, evidence, hint });
}

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
