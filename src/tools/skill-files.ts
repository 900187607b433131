/** Gives tools access to the files of active skills: numbered text, and scripts for commands. */
import { PhotonError } from '../base/codes.ts';
import type { LineRange } from '../guard/claim.ts';
import { isReadable, parseAddress, quoteText } from '../skills/skill.ts';
import { takeLines } from './output-ends.ts';
import type { ToolContext } from './tool.ts';

/** Folder with the scripts of active skills in the view of a command; no patch contains it. */
export const scriptsFolder = '.photon/active-skills';

/** Numbered lines of a skill file, up to some bytes: a range, or the first page. */
export async function showSkillFile(
  address: string,
  given: LineRange | undefined,
  { context, maxBytes }: { readonly context: ToolContext; readonly maxBytes: number },
): Promise<string> {
  const named = parseAddress(address);
  let text: string | undefined;
  try {
    if (named !== undefined) text = await context.skills.readFile(named.skill, named.file);
  } catch (error) {
    if (error instanceof PhotonError && error.code === 'SKILL_INVALID') return error.message;
    throw error;
  }
  if (text === undefined)
    return `${isReadable(address) ? address : quoteText(address)}: the skill has no text file of this name.`;
  const lines = text.replace(/\n$/, '').split('\n');
  const { read_lines: most } = context.policy.limits;
  const { startLine, endLine } = given ?? { startLine: 1, endLine: most };
  const range = { startLine, endLine: Math.min(endLine, startLine + most - 1) };
  const last = Math.min(range.endLine, lines.length);
  const rows = takeLines(
    lines.slice(range.startLine - 1, last).map((line, i) => `${range.startLine + i}\t${line}`),
    { bytes: maxBytes },
  );
  const end = range.startLine + rows.length - 1;
  const cut = end < lines.length ? `\n[cut: L${end + 1}-${lines.length} not shown]` : '';
  return `${address} L${range.startLine}-${end} of ${lines.length}\n${rows.join('\n')}${cut}`;
}

/** The scripts of active skills for the view of a command that names their folder; undefined for other commands. */
export async function scriptsFor(
  command: string,
  context: ToolContext,
): Promise<ReadonlyMap<string, Uint8Array> | undefined> {
  if (!command.includes(scriptsFolder)) return undefined;
  const scripts = await context.skills.scripts();
  return new Map([...scripts].map(([path, bytes]) => [`${scriptsFolder}/${path}`, bytes]));
}
