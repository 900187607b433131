/** What must hold of any sequence of calls, judged without the engine's own rules or patch code. */
import { posix } from 'node:path';
import { mergeReads } from '../../src/agent/loop/loop.ts';
import { digest } from '../../src/base/digest.ts';
import type { Played } from '../doubles/engine.ts';
import type { ScriptedCall, ScriptedTurn } from '../doubles/model.ts';

type Args = Record<string, unknown>;

/** Which phase may follow which, written down from constitution §2 and not from the table. */
const order: Readonly<Record<string, string>> = {
  INPUT: 'INPUT PLAN ROLLBACK',
  PLAN: 'PLAN NAVIGATE COMMIT ROLLBACK',
  NAVIGATE: 'NAVIGATE READ PATCH VERIFY COMMIT ROLLBACK',
  READ: 'READ NAVIGATE PATCH VERIFY COMMIT ROLLBACK',
  PATCH: 'PATCH NAVIGATE READ VERIFY COMMIT ROLLBACK',
  VERIFY: 'VERIFY NAVIGATE READ PATCH COMMIT ROLLBACK',
  COMMIT: 'COMMIT ROLLBACK',
  ROLLBACK: 'ROLLBACK',
};

interface Edit {
  readonly start_line: number;
  readonly end_line?: number;
  readonly content: string;
}

/** Files as lines, by a patch applier of its own; and the lines of each that were shown. */
class Shadow {
  readonly files: Map<string, readonly string[]>;
  readonly shown = new Map<string, Set<string>>();
  readonly steps: Map<string, readonly string[]>[] = [];

  constructor(files: Readonly<Record<string, string>>) {
    this.files = new Map(Object.entries(files).map(([p, text]) => [p, linesOf(text)]));
  }

  show(path: string, line: string): void {
    this.shown.set(path, (this.shown.get(path) ?? new Set()).add(line));
  }

  isShown(path: string, line: string): boolean {
    return this.shown.get(path)?.has(line) === true;
  }

  patch(files: readonly { path: string; content?: string; edits?: Edit[]; delete?: boolean }[]) {
    this.steps.push(new Map(this.files));
    for (const file of files) {
      const path = posix.normalize(file.path);
      if (file.delete === true) this.files.delete(path);
      else if (file.content !== undefined) this.files.set(path, linesOf(file.content));
      else this.files.set(path, this.#edited(path, file.edits ?? []));
      for (const line of this.files.get(path) ?? [])
        if (
          file.content !== undefined ||
          linesOf((file.edits ?? []).map(e => e.content).join('\n')).includes(line)
        )
          this.show(path, line);
    }
  }

  undo(): void {
    const before = this.steps.pop();
    if (before === undefined) return;
    this.files.clear();
    for (const [path, lines] of before) this.files.set(path, lines);
  }

  #edited(path: string, edits: readonly Edit[]): readonly string[] {
    const lines = [...(this.files.get(path) ?? [])];
    const end = (e: Edit) => e.end_line ?? e.start_line;
    const sorted = edits
      .map((edit, i) => ({ edit, i }))
      .sort(
        (a, b) => a.edit.start_line - b.edit.start_line || end(a.edit) - end(b.edit) || a.i - b.i,
      );
    for (const { edit } of sorted.reverse())
      lines.splice(edit.start_line - 1, end(edit) - edit.start_line + 1, ...linesOf(edit.content));
    return lines;
  }
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

export interface ProjectFacts {
  readonly files: Readonly<Record<string, string>>;
  readonly links: readonly string[];
  readonly secret: string;
  readonly passes: (text: (path: string) => string) => boolean;
}

/** Everything that is wrong with a played sequence. */
export function judgePlayed(
  played: Played,
  turns: readonly ScriptedTurn[],
  project: ProjectFacts,
): readonly string[] {
  const problems: string[] = [];
  const shadow = new Shadow(project.files);
  const results = resultsOf(played);
  // lookups that Photon makes itself are no calls of the model
  const entries = played.entries.filter(e => e.call !== undefined && e.facts?.by !== 'photon');
  let at = 0;
  for (const [round, turn] of turns.entries()) {
    if ((turn.calls ?? []).length === 0) at += 1;
    const inRound = new Map<string, Set<number>>();
    const first = firstOfEach(turn.calls ?? []);
    for (const [i, call] of (turn.calls ?? []).entries()) {
      const result = results.get(`${round + 1}-${i}`);
      if (isNotRun(call, result, entries[at])) continue;
      if (first.has(i)) at += 1;
      const entry = entries[at - 1];
      if (entry === undefined) break;
      const isParted = isPartedRead(entry, entries[at], first.get(i));
      if (isParted) at += 1;
      else if (entry.decision !== 'pass') {
        // a refusal may show the lines that it is about
        showLines({ name: call.name, arguments: {} }, shadow, result ?? '');
        continue;
      } else problems.push(...judgePassed(call, shadow, project));
      problems.push(...judgeLines(call, result ?? '', inRound));
      follow(call, shadow, result ?? '');
      // a round that ends the run sends no results; what they would show follows from the call
      if (result === undefined) showUnsent(call, shadow);
    }
  }
  problems.push(...judgePhases(played), ...judgePatch(played, shadow, project));
  return problems;
}

/** A call that only follows from an earlier refusal of its reply is not run and has no entry. */
function isNotRun(
  call: ScriptedCall,
  result: string | undefined,
  next: Played['entries'][number] | undefined,
): boolean {
  if (result !== undefined) return result.startsWith('not run: ');
  // a round that ends the run sends no results: the entry is that of a later call
  return next !== undefined && call.name !== 'read_code_block' && next.arguments !== sent(call);
}

/** A read of which a part is refused has two entries: the refused requests, and those that are read all the same. */
function isPartedRead(
  entry: Played['entries'][number],
  next: Played['entries'][number] | undefined,
  read: string | undefined,
): boolean {
  const isRefused = entry.tool === 'read_code_block' && entry.decision === 'abstain';
  if (!isRefused || next?.tool !== 'read_code_block' || !read?.includes('"requests":['))
    return false;
  const { requests } = JSON.parse(read) as { requests: readonly unknown[] };
  const digestOf = (some: readonly unknown[]) => digest(JSON.stringify({ requests: some }));
  // each way to part the requests, as bits
  return Array.from({ length: 2 ** requests.length }, (_, bits) => bits).some(bits => {
    const [refused, others] = [1, 0].map(bit =>
      requests.filter((_, i) => ((bits >> i) & 1) === bit),
    );
    return digestOf(refused ?? []) === entry.arguments && digestOf(others ?? []) === next.arguments;
  });
}

const sent = ({ arguments: args }: ScriptedCall) =>
  digest(typeof args === 'string' ? args : JSON.stringify(args));

/** The calls with an entry of their own, and their arguments: reads side by side are one call. */
function firstOfEach(calls: readonly ScriptedCall[]): ReadonlyMap<number, string> {
  const merged = mergeReads(
    calls.map(({ name, arguments: args }, i) => ({
      id: String(i),
      name,
      argumentsText: typeof args === 'string' ? args : JSON.stringify(args),
    })),
  );
  return new Map(merged.map(({ call }) => [Number(call.id), call.argumentsText]));
}

function argsOf(call: ScriptedCall): Args {
  return typeof call.arguments === 'string'
    ? (JSON.parse(call.arguments.trim() || '{}') as Args)
    : (call.arguments as Args);
}

function resultsOf(played: Played): ReadonlyMap<string, string> {
  return new Map(
    played.messages.flatMap(m => (m.role === 'tool' ? [[m.callId, m.text] as const] : [])),
  );
}

function isOutside(path: string, links: readonly string[]): boolean {
  const plain = posix.normalize(path);
  if (posix.isAbsolute(path) || plain.startsWith('..') || /[\0\\]/.test(path)) return true;
  const parts = plain.toLowerCase().split('/');
  return parts.includes('.git') || links.some(l => plain === l || plain.startsWith(`${l}/`));
}

/** A call that passed: its paths are inside, its reads in bounds, its edits on lines that were shown. */
function judgePassed(call: ScriptedCall, shadow: Shadow, { links }: ProjectFacts): string[] {
  const args = argsOf(call);
  const problems: string[] = [];
  const files = (args.files ?? []) as {
    path: string;
    content?: string;
    edits?: Edit[];
    delete?: boolean;
  }[];
  const requests = (args.requests ?? []) as {
    file_path: string;
    start_line?: number;
    end_line?: number;
  }[];
  const paths = [
    ...requests.map(r => r.file_path),
    ...files.map(f => f.path),
    String(args.folder ?? ''),
  ];
  for (const path of paths)
    if (path !== '' && isOutside(path, links)) problems.push(`${call.name}: ${path} is outside`);
  for (const file of files) {
    const path = posix.normalize(file.path);
    const before = shadow.files.get(path) ?? [];
    const whole =
      file.edits === undefined
        ? [{ start_line: 1, end_line: before.length, content: '' }]
        : file.edits;
    for (const edit of whole)
      for (let line = edit.start_line; line <= (edit.end_line ?? edit.start_line); line++) {
        const text = before[line - 1];
        if (text === undefined || !shadow.isShown(path, text))
          problems.push(`${path}:${line} was written unread`);
      }
  }
  return problems;
}

/** The file of a read; a result of one file alone does not name it. */
function namedIn(call: ScriptedCall): string {
  const [only] = (argsOf(call).requests ?? []) as { file_path?: string }[];
  return only?.file_path === undefined ? '' : posix.normalize(only.file_path);
}

/** No more than 500 lines of a file are read in a round, whichever call reads them. */
function judgeLines(
  call: ScriptedCall,
  result: string,
  inRound: Map<string, Set<number>>,
): string[] {
  let path = namedIn(call);
  for (const row of result.split('\n')) {
    path = /^(\S+) L\d+-\d+ of \d+(?: #|$)/.exec(row)?.[1] ?? path;
    const line = /^(\d+)\t/.exec(row)?.[1];
    if (path === '' || line === undefined) continue;
    inRound.set(path, (inRound.get(path) ?? new Set()).add(Number(line)));
  }
  return [...inRound].flatMap(([file, lines]) =>
    lines.size > 500 ? [`${lines.size} lines of ${file} in one round`] : [],
  );
}

/** Takes over what a passed call did, and which lines its result shows. */
function follow(call: ScriptedCall, shadow: Shadow, result: string): void {
  const args = argsOf(call);
  if (call.name === 'apply_patch' && args.dry_run !== true)
    shadow.patch(args.files as Parameters<Shadow['patch']>[0]);
  if (call.name === 'undo') shadow.undo();
  showLines(call, shadow, result);
}

/** Takes over which lines a result shows. */
function showLines(call: ScriptedCall, shadow: Shadow, result: string): void {
  let path = namedIn(call);
  const rows = result.split('\n');
  for (const [i, row] of rows.entries()) {
    path =
      /^(\S+) L\d+-\d+ of \d+(?: #|$)/.exec(row)?.[1] ??
      /^(\S+): \+\d+ -\d+/.exec(row)?.[1] ??
      /^(\S+), as it is now \(/.exec(row)?.[1] ??
      path;
    if (shadow.files.has(row)) path = row;
    // a blank line has no number between two that have one
    const next = row === '' ? rows.slice(i).find(r => r !== '') : undefined;
    const shown = /^\d+\t(.*)$/.exec(row)?.[1] ?? (/^\d+\t/.test(next ?? '') ? '' : undefined);
    if (shown !== undefined) shadow.show(path, shown);
    // a search shows a line without the white space around it
    const hit = call.name === 'grep' ? /^ +L(\d+)\b/.exec(row)?.[1] : undefined;
    const line = shadow.files.get(path)?.[Number(hit) - 1];
    if (line !== undefined) shadow.show(path, line);
  }
}

/** Lines that the result of a passed call shows, where nobody was sent it. */
function showUnsent(call: ScriptedCall, shadow: Shadow): void {
  const args = argsOf(call);
  const requests = (args.requests ?? []) as {
    file_path: string;
    start_line?: number;
    end_line?: number;
  }[];
  for (const { file_path: path, start_line: start = 1, end_line: end = start } of requests)
    for (const text of (shadow.files.get(posix.normalize(path)) ?? []).slice(start - 1, end))
      shadow.show(posix.normalize(path), text);
  const files = (args.files ?? []) as { path: string; content?: string; edits?: Edit[] }[];
  for (const { path, content, edits } of files)
    for (const text of edits?.map(e => e.content) ?? [content ?? ''])
      for (const each of linesOf(text)) shadow.show(posix.normalize(path), each);
}

function judgePhases({ entries }: Played): string[] {
  return entries.flatMap((entry, i) => {
    const before = entries[i - 1]?.phase ?? 'INPUT';
    const way = [before, ...(entry.via === undefined ? [] : [entry.via]), entry.phase];
    const legal = way.slice(1).every((to, n) => order[way[n] ?? '']?.split(' ').includes(to));
    return legal ? [] : [`${entry.tool}: ${way.join(' > ')}`];
  });
}

function judgePatch(played: Played, shadow: Shadow, project: ProjectFacts): string[] {
  const problems: string[] = [];
  for (const { path, after } of played.changes) {
    const text = Buffer.from(after?.bytes ?? []).toString();
    const expected = shadow.files.get(path);
    if (text.includes(project.secret)) problems.push(`${path} holds the secret`);
    if (/^\.github\/|(^|\/)constitution\.md$|id_rsa/.test(path))
      problems.push(`${path} is protected`);
    if ((after === undefined) !== (expected === undefined))
      problems.push(`${path} should (not) be there`);
    else if (expected !== undefined && linesOf(text).join('\n') !== expected.join('\n'))
      problems.push(`${path} is not what the edits make of it`);
  }
  const changed = [...shadow.files].filter(
    ([p, lines]) => lines.join('\n') !== linesOf(project.files[p] ?? '\0').join('\n'),
  );
  for (const [path] of changed)
    if (!played.changes.some(c => c.path === path)) problems.push(`${path} should be in the patch`);
  if (!played.ending.startsWith('committed')) return problems;
  if (!played.proven.includes(played.patchDigest))
    problems.push('committed without a verification of this patch');
  if (!project.passes(path => (shadow.files.get(path) ?? []).join('\n')))
    problems.push('committed, though the tests fail');
  return problems;
}
