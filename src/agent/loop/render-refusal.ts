/** What becomes of a refused call: the lookups or the present lines that it lacks, and a text with the code, what is missing and what to do. */
import { codes } from '../../base/codes.ts';
import { plural } from '../../base/plural.ts';
import type { LineRange, WriteFacts } from '../../guard/claim.ts';
import type { Refusal } from '../../guard/decide.ts';
import type { EvidenceEvent } from '../../guard/evidence.ts';
import { folderOf, normalisePath } from '../../guard/paths.ts';
import { findUnreached } from '../../guard/reach.ts';
import { showLines } from '../../guard/read-lines.ts';
import type { Case } from '../../guard/rule.ts';
import { staleRead } from '../../guard/rules/stale-read.ts';
import type { ToolCall } from '../../model/turn.ts';
import { listProjectFiles } from '../../tools/list-project-files.ts';
import { renderSkillError } from '../../tools/skill-activate.ts';
import type { Session } from '../../workspace/session/session.ts';
import { fill, type Profile } from '../context/profile.ts';
import type { CallJudgement } from './judge-call.ts';

interface RefusedCall {
  readonly call: ToolCall;
  /** The skills that grant a tool that is not permitted. */
  readonly granting: readonly string[];
}

/** A refusal for the model; one of a skill call has the form of the answers to these calls. */
export function renderRefusal(
  templates: Profile['templates'],
  { call: { name }, granting }: RefusedCall,
  { code, evidence }: Refusal,
): string {
  const hint =
    granting.length > 0
      ? `Activate a skill that grants it: ${granting.slice(0, 5).join(', ')}.`
      : codes[code].hint;
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

/** The present lines that a refused edit may mean, so that the next call can be right: their text, and the evidence. */
interface StaleLines {
  readonly text: string;
  readonly events: readonly Extract<EvidenceEvent, { kind: 'shown' }>[];
}

/** Most lines, and most bytes of them, that one refusal shows. */
const maxLines = 80;
const maxBytes = 6_000;
/** Lines around those that may be meant. */
const around = 1;

/** The lines of a call that it may not write, file by file; without text where it writes no text. */
export async function findStaleLines(judged: Case, session: Session): Promise<StaleLines> {
  const parts: string[] = [];
  const events: Extract<EvidenceEvent, { kind: 'shown' }>[] = [];
  const free = { lines: maxLines, bytes: maxBytes };
  for (const claim of judged.call.claims) {
    const alone = { ...judged, call: { ...judged.call, claims: [claim] } };
    if (claim.kind !== 'write' || staleRead.judge(alone) === undefined) continue;
    const path = normalisePath(claim.path);
    const file = path === undefined ? undefined : await session.text(path);
    if (path === undefined || file === undefined || file === 'binary') continue;
    const text = chooseLines(claim, file.lines, free);
    if (text.size === 0) continue;
    const rows = [...text].map(([line, text]) => `${line}\t${text}`);
    parts.push(
      [`${path}, as it is now (${plural(file.lines.length, 'line')}):`, ...rows].join('\n'),
    );
    events.push(showLines('shown', path, text));
  }
  return { text: parts.join('\n'), events };
}

function chooseLines(
  { change, ranges }: WriteFacts,
  all: readonly string[],
  free: { lines: number; bytes: number },
): ReadonlyMap<number, string> {
  const whole = { startLine: 1, endLine: all.length, moved: undefined };
  const numbers = (change === 'edit' ? ranges : [whole]).flatMap(range =>
    (range.moved === undefined || range.moved.length === 0 ? [range] : range.moved).flatMap(r =>
      numbersAround(r, all.length),
    ),
  );
  const shown = new Map<number, string>();
  for (const line of [...new Set(numbers)].sort((a, b) => a - b)) {
    const text = all[line - 1] ?? '';
    free.lines -= 1;
    free.bytes -= Buffer.byteLength(text) + 8;
    if (free.lines < 0 || free.bytes < 0) break;
    shown.set(line, text);
  }
  return shown;
}

/** The lines of a range and its neighbours that exist; at most as many as a refusal shows. */
function numbersAround({ startLine, endLine }: LineRange, count: number): readonly number[] {
  const first = Math.max(1, Math.min(startLine, count) - around);
  const last = Math.min(count, Math.max(startLine - 1, endLine) + around, first + maxLines);
  const size = Math.max(0, last - first + 1);
  return Array.from({ length: size }, (_, i) => first + i);
}
