/** Maps the tool names of other agents to Photon's, and reads rules in parentheses such as `Bash(git:*)`. */
import type { CommandPrefix } from '../guard/policy/skill-grant.ts';
import { mcpToolName } from '../settings/mcp.ts';

/** Names that a document or skill may give a tool, beside its own. */
const shown: ReadonlyMap<string, string> = new Map([
  ['list_files', 'list_project_files'],
  ['search_text', 'grep'],
]);

/** Names that `allowed-tools` may hold for a tool. */
const known: ReadonlyMap<string, string> = new Map([
  ...shown,
  ['Read', 'read_code_block'],
  ['Grep', 'grep'],
  ['Glob', 'list_project_files'],
  ['LS', 'list_project_files'],
  ['Edit', 'apply_patch'],
  ['MultiEdit', 'apply_patch'],
  ['NotebookEdit', 'apply_patch'],
  ['Write', 'apply_patch'],
  ['Bash', 'run_command'],
]);

/** Names under which the model may call a tool; the arguments are those of the tool, or a form that it reads. */
const callable: ReadonlyMap<string, string> = new Map([
  ...known,
  ['read_file', 'read_code_block'],
  ['view', 'read_code_block'],
  ['cat', 'read_code_block'],
  ['open_file', 'read_code_block'],
  ['edit_file', 'apply_patch'],
  ['write_file', 'apply_patch'],
  ['create_file', 'apply_patch'],
  ['str_replace', 'apply_patch'],
  ['bash', 'run_command'],
  ['shell', 'run_command'],
  ['execute', 'run_command'],
]);

/** The tool that a call by this name means; the name itself when it is no alias. */
export function calledTool(name: string): string {
  return callable.get(name) ?? name;
}

/** The further names under which the model may call a tool: those of Photon, and of other agents. */
export function listAliases(tool: string) {
  const namesIn = (map: typeof shown) =>
    [...map].flatMap(([name, called]) => (called === tool ? [name] : []));
  return { aliases: namesIn(shown), knownAs: namesIn(callable) };
}

/** The tool that a skill means by this name: one of an MCP server, of Photon, or of another agent. */
export function namedTool(name: string): string {
  const [, server, tool] = /^mcp:([^/]+)\/(.+)$/.exec(name) ?? [];
  if (server !== undefined && tool !== undefined) return mcpToolName(server, tool);
  return known.get(name) ?? name;
}

/** A tool that an entry of `allowed-tools` grants; `prefix` limits `run_command` to some command lines. */
export interface AllowedTool {
  /** Photon's name. */
  readonly tool: string;
  /** The name by which the prompt offers it. */
  readonly shown: string;
  readonly prefix?: CommandPrefix;
}

/** The tool that an entry of `allowed-tools` grants; undefined when it grants none. */
export function readAllowedTool(
  entry: string,
  tools: ReadonlySet<string>,
): AllowedTool | undefined {
  const [, name = entry, rule] = /^([^()]+)\((.*)\)$/s.exec(entry) ?? [];
  const tool = tools.has(name) ? name : namedTool(name);
  if (!tools.has(tool)) return undefined;
  if (rule === undefined) return { tool, shown: shown.has(name) ? name : tool };
  const prefix = tool === 'run_command' ? readPrefix(rule) : undefined;
  if (prefix === undefined) return undefined;
  const words = prefix.words.join(' ');
  return prefix.words.length === 0
    ? { tool, shown: tool }
    : { tool, shown: `${tool} (${words}${prefix.exact ? '' : ' …'})`, prefix };
}

/** `git:*` and `git *` are every command that begins with `git`; `git status` is that command alone. */
function readPrefix(rule: string): CommandPrefix | undefined {
  const text = rule.trim();
  const open = text.replace(/(?::\*|(?<!\s)\s+\*|^\*)$/, '');
  const words = open.split(/\s+/).filter(w => w !== '');
  if (words.some(w => /[*?[\]$`"'\\|&;<>()]/.test(w))) return undefined;
  if (words.length === 0 && open === text) return undefined;
  return { words, exact: open === text };
}
