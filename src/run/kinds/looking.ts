/** What runs have in common that change nothing. */
import type { Tool } from '../../tools/tool.ts';

const changing: ReadonlySet<string> = new Set(['run_command', 'syntax_check', 'patch', 'undo']);

/** Tools that write into the long-term records. */
const recording: ReadonlySet<string> = new Set(['record_add', 'record_update', 'record_issue']);

/** Such a run has no tool that changes, runs or verifies anything. */
export const looking = {
  changes: false,
  keeps: true,
  showsPlan: false,
  tools: (tools: readonly Tool[]) =>
    tools.filter(t => t.step !== 'patch' && t.step !== 'verify' && !changing.has(t.name)),
} as const;

/** Commands need no skill where the task is a question: they try things out, and what they write is thrown away. */
export function withExperiments(tools: readonly Tool[]): readonly Tool[] {
  return tools.map(tool => (tool.name === 'run_command' ? { ...tool, core: true } : tool));
}

/** The tools of a run that only looks, without the tools that write records. */
export function withoutRecording(tools: readonly Tool[]): readonly Tool[] {
  return looking.tools(tools).filter(t => !recording.has(t.name));
}
