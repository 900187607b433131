/** Plays a known fix through the tools, as a model would that made no mistake: what the rules refuse it, they refuse every model. */
import type { FileChange, FileState } from '../../src/workspace/files/change.ts';
import { compareLines } from '../../src/workspace/text/compare-lines.ts';
import { isOpen } from '../../src/workspace/text/edits.ts';
import { parseTextFile } from '../../src/workspace/text/text-file.ts';
import type { Body, ModelStep } from '../../test/doubles/model.ts';

/** Lines around a change that are read with it. */
const around = 3;
/** Most lines that one request reads, and requests of one call. */
const perRead = 80;
const perCall = 8;

const step = (text: string, ...calls: readonly (readonly [name: string, args: object])[]) => ({
  text,
  calls: calls.map(([name, args]) => ({ name, arguments: args })),
});

/** A model that carries out exactly these changes. What the rules keep from it is left out, and the rest done without it. */
export function makeOracle(fix: readonly FileChange[]): (body: Body) => ModelStep {
  let refused: readonly string[] = [];
  let script = buildScript(fix);
  return ({ messages }) => {
    const last = messages.findLastIndex(m => m.role === 'assistant');
    const texts = messages.slice(last + 1).map(m => JSON.stringify(m.content));
    const refusals = last < 0 ? [] : texts.filter(t => /PATH_PROTECTED|STALE_READ/.test(t));
    const found = fix
      .map(c => c.path)
      .filter(path => !refused.includes(path) && refusals.some(text => text.includes(path)));
    if (found.length > 0) {
      refused = [...refused, ...found];
      script = buildScript(fix.filter(c => !refused.includes(c.path)));
    }
    const [next = abstain('The known fix was played to its end.'), ...rest] = script;
    script = rest;
    return next;
  };
}

const abstain = (reason: string) => step('The fix cannot go on.', ['abstain', { reason }]);

function buildScript(fix: readonly FileChange[]): readonly ModelStep[] {
  const writable = fix.filter(c => describeFile(c) !== undefined);
  if (writable.length === 0) return [abstain('Nothing of the known fix may be changed.')];
  const paths = writable.map(c => c.path);
  const lines = writable.flatMap(c => [c.before, c.after]).map(s => linesOf(s)?.length ?? 0);
  const plan = {
    entry_symbols: paths.slice(0, 20),
    affected_files: paths.slice(0, 100),
    scope: 'what the tests require',
    max_changed_lines: Math.min(5000, Math.max(100, ...lines.map(n => 2 * n))),
  };
  const reads = writable.flatMap(listReads);
  const rounds = Array.from({ length: Math.ceil(reads.length / perCall) }, (_, i) =>
    step('I read the lines that have to change.', [
      'read_code_block',
      { requests: reads.slice(i * perCall, (i + 1) * perCall) },
    ]),
  );
  return [
    step(
      'The failing tests show what is missing. I plan the change of these files.',
      ['skill_activate', { skill_name: 'code-modify' }],
      ['plan', plan],
    ),
    step('I look which files there are.', ['list_project_files', {}]),
    ...rounds,
    step('These lines have to change. I change all files in one step.', [
      'apply_patch',
      { files: writable.map(describeFile) },
    ]),
    step('The tests must confirm the patch.', ['verify', {}]),
    step('The tests pass with the patch.', ['finish', { reason: 'the failing tests pass' }]),
  ];
}

/** A file that has text and no other form, such as a link. */
function parse(state: FileState | undefined) {
  if (state === undefined || !state.mode.startsWith('100')) return undefined;
  const file = parseTextFile(state.bytes);
  return file === 'binary' ? undefined : file;
}

const linesOf = (state: FileState | undefined) => parse(state)?.lines;

/** Reads of a file: the surroundings of each change, or all of a file that is replaced or deleted. */
function listReads(change: FileChange) {
  const lines = linesOf(change.before) ?? [];
  const edits = listEdits(change) ?? [{ start_line: 1, end_line: lines.length }];
  return edits.flatMap(({ start_line: first, end_line: last }) => {
    const from = Math.max(1, Math.min(first, lines.length) - around);
    const to = Math.min(lines.length, Math.max(first, last) + around);
    return Array.from({ length: Math.ceil((to - from + 1) / perRead) }, (_, i) => ({
      file_path: change.path,
      start_line: from + i * perRead,
      end_line: Math.min(to, from + (i + 1) * perRead - 1),
    }));
  });
}

/** The edits that make the new text of a file; undefined if it is written as a whole. */
function listEdits({ before, after }: FileChange) {
  const [old, now] = [parse(before), parse(after)];
  if (old === undefined || now === undefined || isOpen(old) !== isOpen(now)) return undefined;
  const edits = compareLines(old.lines, now.lines).map(each => ({
    start_line: each.oldStart + 1,
    end_line: each.oldEnd,
    content: now.lines
      .slice(each.newStart, each.newEnd)
      .map(line => `${line}\n`)
      .join(''),
  }));
  return edits.length > 0 && edits.length <= 200 ? edits : undefined;
}

/** A file as `apply_patch` takes it, without its mode; undefined if the tools cannot write it. */
function describeFile(change: FileChange): object | undefined {
  const { path, before, after } = change;
  if (before !== undefined && parse(before) === undefined) return undefined;
  if (after === undefined) return { path, delete: true };
  if (parse(after) === undefined) return undefined;
  const edits = listEdits(change);
  if (edits !== undefined) return { path, edits };
  return { path, content: Buffer.from(after.bytes).toString('utf8') };
}
