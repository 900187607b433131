/** Skills of the work tree, read again as they change (`photon skills try`, `--watch-skills`). */
import { PhotonError } from '../../base/codes.ts';
import { digest } from '../../base/digest.ts';
import { withSkills } from '../../guard/evidence.ts';
import { type Ledger, mark } from '../../ledger/ledger.ts';
import type { McpServers } from '../../mcp/servers.ts';
import { loadSkills } from '../../skills/load.ts';
import { findUnready } from '../../skills/requirements.ts';
import { invalid } from '../../skills/skill.ts';
import { isSkillFile } from '../../skills/skill-text.ts';
import type { TrustedFiles } from '../../workspace/trusted/trusted-files.ts';
import type { Policy } from '../context/policy.ts';
import type { LoopParts, LoopRun } from './loop-state.ts';

/** A run whose skills can change while it goes on. */
interface WatchedRun extends Pick<LoopRun, 'state'> {
  readonly request: {
    readonly ledger: Ledger;
    readonly environment: { readonly log: (line: string) => void };
  };
  readonly policy: Policy;
  readonly loop: Pick<LoopParts, 'tools' | 'context'>;
}

/**
 * Checks before each round whether a SKILL.md of the work tree has changed, and loads the skills again.
 * Skills that cannot be loaded leave everything as it was.
 */
export function watchSkills(run: WatchedRun) {
  const { policy, loop, request } = run;
  const { log } = request.environment;
  const { skills } = loop.context;
  const toolNames = new Set(loop.tools.map(t => t.name));
  const { skillSource, settings } = policy;
  let seen: Promise<string> | string = fingerprint(skillSource.repository, settings.skillRoots);
  return async (): Promise<void> => {
    const before = await seen;
    const now = await fingerprint(skillSource.repository, settings.skillRoots);
    seen = now;
    if (now === before) return;
    try {
      const found = await loadSkills(settings.skillRoots, skillSource);
      const broken = found.leftOut.find(s => !policy.leftOutSkills.has(s.name));
      if (broken !== undefined) throw invalid(broken.reason);
      skills.replace(found.skills, await findUnready(found.skills, toolNames));
    } catch (error) {
      if (!(error instanceof PhotonError)) throw error;
      log(`Skills: kept as they were, since ${error.message}`);
      return;
    }
    recordSkills(run);
    log(`Skills: read again, ${skills.names().length} on the allowlist.`);
  };
}

/** Makes the skills as they are now evidence, outside of a call. */
function recordSkills({ state, request: { ledger }, loop }: WatchedRun): void {
  const { skills, coreTools } = loop.context;
  const read = {
    allowedSkills: skills.callable(),
    unreadySkills: Object.fromEntries(skills.unready()),
    tools: [...coreTools, ...skills.grantedTools()],
    active: skills.grants(),
  };
  state.evidence = withSkills(state.evidence, read);
  ledger.append({ ...mark('skills.read', {}), phase: state.evidence.phase, skills: read });
}

/** A digest over every SKILL.md of the roots in the work tree. */
async function fingerprint(files: TrustedFiles, roots: readonly string[]): Promise<string> {
  const texts: string[] = [];
  for (const root of roots.filter(r => !r.startsWith('photon:'))) {
    const folder = root.replace(/(?<!\/)\/*$/, '').replace(/(^|\/)[^/]*[*?[{][^/]*$/, '');
    for (const path of (await files.list(folder)).filter(isSkillFile).sort())
      texts.push(path, digest((await files.read(path)) ?? ''));
  }
  return digest(texts.join('\0'));
}

/** Records what happens to servers. @returns a function that withdraws lost tools; call it before each round. */
export function watchServers(mcp: McpServers, run: WatchedRun): () => void {
  const { state, request } = run;
  const { ledger } = request;
  mcp.listen(({ kind, server, code, facts }) =>
    ledger.append({
      ...mark(`mcp.${kind}`, { server, ...facts }),
      phase: state.evidence.phase,
      code: code ?? null,
    }),
  );
  return () => {
    const losses = mcp.takeLosses();
    if (losses.length === 0) return;
    for (const { names } of losses) run.loop.context.skills.withdraw(names);
    recordSkills(run);
  };
}
