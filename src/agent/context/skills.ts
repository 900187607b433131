/** The skills of a run: opened once; at the terminal read again from the work tree as they change. */
import { PhotonError } from '../../codes.ts';
import { withSkills } from '../../guard/evidence.ts';
import { digest, type Ledger } from '../../ledger/ledger.ts';
import { mark } from '../../ledger/mark.ts';
import { loadSkills } from '../../skills/load.ts';
import { findUnready } from '../../skills/requirements.ts';
import { SkillManager } from '../../skills/skill-manager.ts';
import type { SkillMessages } from '../../skills/skill-messages.ts';
import { tools as allTools } from '../../tools/index.ts';
import type { TrustedFiles } from '../../workspace/trusted-files.ts';
import type { Progress } from '../limits/progress.ts';
import type { Policy } from './policy.ts';
import { fill } from './profile.ts';

/** Names of all tools. */
export const toolNames: readonly string[] = allTools.map(t => t.name);

/** Tools that need no skill. */
export const coreTools: readonly string[] = allTools.filter(t => t.core).map(t => t.name);

/** What a profile tells of skills. */
export function skillMessages({ templates }: Pick<Policy['profile'], 'templates'>): SkillMessages {
  return (name, values) => fill(templates, name, values as never);
}

/** The skills that the law allows, ranked to the words of a task. Throws PhotonError `SKILL_INVALID`. */
export async function openSkills(
  { skills, skillSource, profile }: Pick<Policy, 'skills' | 'skillSource' | 'profile'>,
  { task, tools }: { readonly task: string; readonly tools: readonly string[] },
): Promise<SkillManager> {
  const unready = await findUnready(skills, new Set(tools));
  const messages = skillMessages(profile);
  return new SkillManager({ skills, unready, source: skillSource, tools, task, messages });
}

export interface SkillWatch {
  /** Names of the tools of the run, and of those that need no skill. */
  readonly tools: readonly string[];
  readonly coreTools: readonly string[];
  readonly policy: Policy;
  readonly skills: SkillManager;
  readonly progress: Progress;
  readonly ledger: Ledger;
  readonly log: (line: string) => void;
}

/**
 * Looks before each round whether a SKILL.md of the work tree has changed, and takes the skills over
 * as they are then; those that cannot be used leave everything as it was.
 */
export function watchSkills(watch: SkillWatch) {
  const { policy, skills, progress, ledger, log, coreTools } = watch;
  const { skillSource, settings } = policy;
  let seen: Promise<string> | string = fingerprint(skillSource.repository, settings.skillRoots);
  return async (): Promise<void> => {
    const before = await seen;
    const now = await fingerprint(skillSource.repository, settings.skillRoots);
    seen = now;
    if (now === before) return;
    try {
      const found = await loadSkills(settings.skillRoots, skillSource);
      skills.replace(found, await findUnready(found, new Set(watch.tools)));
    } catch (error) {
      if (!(error instanceof PhotonError)) throw error;
      log(`Skills: kept as they were, since ${error.message}`);
      return;
    }
    const read = {
      allowedSkills: skills.names(),
      unreadySkills: Object.fromEntries(skills.unready()),
      tools: [...coreTools, ...skills.grantedTools()],
      active: skills.grants(),
    };
    progress.evidence = withSkills(progress.evidence, read);
    ledger.append({ ...mark('skills.read', {}), phase: progress.evidence.phase, skills: read });
    log(`Skills: read again, ${read.allowedSkills.length} on the allowlist.`);
  };
}

/** A digest over every SKILL.md of the roots in the work tree. */
async function fingerprint(files: TrustedFiles, roots: readonly string[]): Promise<string> {
  const texts: string[] = [];
  for (const root of roots.filter(r => !r.startsWith('photon:'))) {
    const folder = root.replace(/\/*$/, '').replace(/(^|\/)[^/]*[*?[{][^/]*$/, '');
    for (const path of (await files.list(folder)).filter(p => p.endsWith('SKILL.md')).sort())
      texts.push(path, digest((await files.read(path)) ?? ''));
  }
  return digest(texts.join('\0'));
}
