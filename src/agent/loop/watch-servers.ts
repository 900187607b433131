/** MCP servers during a run: their starts and ends enter the ledger, and tools of a lost server are withdrawn. */
import { mark } from '../../ledger/mark.ts';
import type { McpServers } from '../../mcp/servers.ts';
import { recordSkills, type SkillWatch } from './watch-skills.ts';

/** Records what happens to servers. @returns a function that withdraws lost tools; call it before each round. */
export function watchServers(
  mcp: McpServers,
  watch: Pick<SkillWatch, 'skills' | 'coreTools' | 'state' | 'ledger'>,
): () => void {
  const { skills, state, ledger } = watch;
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
    for (const { names } of losses) skills.withdraw(names);
    recordSkills(watch);
  };
}
