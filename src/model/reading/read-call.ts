/** Reads what a call plainly means: its name and its arguments, as its endpoint sent them. Pure. */
import type { ToolCall, ToolDefinition } from '../turn.ts';
import { readArguments } from './read-arguments.ts';

/** A call as it is carried out, and what of it was read in another way than it was sent. */
export interface ReadCall {
  readonly call: ToolCall;
  readonly repaired: readonly ('name' | 'arguments')[];
}

const callable = /^[\w-]{1,64}$/;

/** A tool's name that an endpoint takes back in the conversation; `unknown` stands for any other. */
export const sendableName = (name: string): string => (callable.test(name) ? name : 'unknown');

/** Longest name that is looked into. */
const maxNameChars = 300;

/** Reads one call. A name that means no tool stays as it is, or becomes `unknown` where no endpoint would take it back. */
export function readCall(given: ToolCall, tools: readonly ToolDefinition[]): ReadCall {
  const named = readName(given.name, tools);
  const name = named?.name ?? sendableName(given.name);
  const read =
    named === undefined || given.argumentsText.trim() === ''
      ? undefined
      : readArguments(given.argumentsText, named.tool);
  const repaired = [
    named !== undefined && name !== given.name ? ('name' as const) : undefined,
    read === undefined ? undefined : ('arguments' as const),
  ].filter(each => each !== undefined);
  return { call: { ...given, name, argumentsText: read ?? given.argumentsText }, repaired };
}

interface Named {
  readonly name: string;
  readonly tool: ToolDefinition;
}

/**
 * The tool of a name. Endpoints leave marks of their template on it (`grep<|channel|>commentary`), or the place that
 * their model learned to call from (`functions.grep`, `default_api.grep:0`). A part that names a tool means it, if no
 * other part names another one.
 */
function readName(name: string, tools: readonly ToolDefinition[]): Named | undefined {
  const all = tools.flatMap(tool =>
    [tool.name, ...(tool.aliases ?? [])].map(n => [n, tool] as const),
  );
  const known = new Map(all);
  const exact = known.get(name);
  if (exact !== undefined) return { name, tool: exact };
  if (name.length > maxNameChars) return undefined;
  const byForm = new Map(all.map(([each]) => [plainForm(each), each]));
  const parts = name
    .replace(/^(?:functions?|tools?|default_api|mcp__[a-z0-9]+_)_/i, '')
    .split(/[^\w-]+/);
  const named = parts.map(part => byForm.get(plainForm(part)));
  const found = [...new Set(named)].filter(each => each !== undefined);
  const [only] = found;
  const tool = only === undefined ? undefined : known.get(only);
  return found.length === 1 && only !== undefined && tool !== undefined
    ? { name: only, tool }
    : undefined;
}

/** A name without its case and its dividers: `readCodeBlock` and `read-code-block` are `read_code_block`. */
const plainForm = (name: string) => name.toLowerCase().replace(/[_-]/g, '');
