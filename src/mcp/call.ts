/** Calls a tool of an MCP server, and compares the tree with what the call claims. */
import { readBounded } from '../workspace/files/read-foreign.ts';
import type { Session } from '../workspace/session/session.ts';
import type { View } from '../workspace/views/view.ts';
import type { McpReply } from './connection.ts';
import { McpProblem } from './problem.ts';
import { type ConfiguredTool, connect, follow, type McpRun, type Slot } from './slot.ts';

/** A reply, and the files that the tool wrote: their text, or undefined for a deleted file. */
export interface McpAnswer extends McpReply {
  readonly written: ReadonlyMap<string, string | undefined>;
}

interface SlotCall {
  readonly tool: ConfiguredTool;
  readonly args: object;
  readonly writes: readonly string[];
}

/**
 * Calls a tool: one that reads in the running server, one that writes in a process of its own.
 * @throws McpProblem when the server must be cut off.
 */
export async function callSlot(slot: Slot, call: SlotCall, run: McpRun): Promise<McpAnswer> {
  const { options } = run;
  const { tool, args, writes } = call;
  const { session, signal } = options;
  if (writes.length === 0) {
    const view = await follow(slot, await options.sandbox(), options);
    if (slot.live === undefined) throw new McpProblem('MCP_UNAVAILABLE', 'it does not run');
    const reply = await slot.live.call(tool.tool, args, signal);
    await requireTree({ view, session, claimed: [] });
    return { ...reply, written: new Map() };
  }
  // a process of its own, which ends before its files are read: nothing can change them meanwhile
  const writer = await connect(slot, run, { readOnly: false });
  const reply = await writer.call(tool.tool, args, signal).finally(() => writer.close());
  const written = new Map<string, string | undefined>();
  const { view } = slot;
  if (view === undefined) throw new McpProblem('MCP_UNAVAILABLE', 'it does not run');
  const added: string[] = [];
  for (const path of writes) {
    const text = readBounded(view.written, path);
    const before = await session.state(path);
    if (before === undefined) added.push(path);
    const known = before === undefined ? undefined : Buffer.from(before.bytes).toString('utf8');
    if (text === known) continue;
    if (text === 'too-large' || text?.includes('\uFFFD') || text?.includes('\0'))
      throw new McpProblem('MCP_RESULT_INVALID', `it wrote ${path}, which is too large or no text`);
    written.set(path, text);
  }
  await requireTree({ view, session, claimed: writes });
  // a file that the session lacks leaves the copy, too
  await view.place(new Map(added.map(path => [path, undefined])));
  return { ...reply, written };
}

interface ComparedTree {
  readonly view: View;
  readonly session: Session;
  /** Files that may differ. */
  readonly claimed: readonly string[];
}

/** Restores the tree. @throws McpProblem when a file differed that no claim names. */
async function requireTree({ view, session, claimed }: ComparedTree): Promise<void> {
  const differed = await view.sync(await session.tree());
  const strange = differed.filter(path => !claimed.includes(path));
  if (strange.length === 0) return;
  throw new McpProblem('MCP_TREE_CHANGED', `it changed ${strange.slice(0, 5).join(', ')}`);
}
