/** run_command: runs a shell line in the sandbox; files that it writes never reach the patch, and lines that it prints count as read. */
import * as z from 'zod';
import { listFirst } from '../base/plural.ts';
import type { Claim } from '../guard/claim.ts';
import type { EvidenceEvent } from '../guard/evidence.ts';
import { normalisePath } from '../guard/paths.ts';
import { toLineRanges } from '../guard/read-lines.ts';
import { type ContainedCommandEnd, commandFacts } from '../sandbox/command-view.ts';
import { wayOfEnding } from '../sandbox/egress/log-commands.ts';
import { describeMode } from '../workspace/files/change.ts';
import { describeEnd } from '../workspace/session/command-record.ts';
import { filePattern } from './file-pattern.ts';
import { showEnds } from './kept-output.ts';
import { formFields, readShellForm } from './known-forms.ts';
import { namedPaths, printedFiles, simpleCommands, writtenFiles } from './shell-line.ts';
import { parseState, type ShownChanges, showChanges } from './show-changes.ts';
import { scriptsFor } from './skill-files.ts';
import { defineTool, inResults, seenIn, type ToolContext } from './tool.ts';

/** Most bytes of an output that are kept, half of them from its end. */
const maxOutputBytes = 1_000_000;

export const runCommand = defineTool({
  name: 'run_command',
  description: 'Run a shell line in the sandbox.',
  core: false,
  step: undefined,
  schema: z.strictObject({
    command: z.string().min(1).max(10_000),
    folder: z.string().max(4096).optional(),
    timeout_seconds: z.int().min(1).max(3600).optional().meta(inResults),
  }),
  readForm: readShellForm,
  formFields: formFields.shell,
  claims: (args, { policy }) => [
    { kind: 'run', commands: simpleCommands(args.command) },
    { kind: 'navigate', path: args.folder ?? '' },
    ...writtenFiles(args.command, args.folder).map((path): Claim => ({ kind: 'redirect', path })),
    ...(policy.reads === 'strict' ? printedFiles(args.command, args.folder) : []).map(
      (path): Claim => ({ kind: 'print', path }),
    ),
  ],
  problems: async args =>
    args.command.includes('\0') ? ['/command: contains a NUL character'] : [],
  run: async (args, context) => {
    const max = context.policy.limits.command_seconds;
    const scripts = await scriptsFor(`${args.command} ${args.folder ?? ''}`, context);
    const end = await context.commands.run({
      scripts,
      argv: ['sh', '-c', args.command],
      cwd: normalisePath(args.folder ?? '') || '.',
      network: context.commandNetwork,
      timeoutMs: Math.min(args.timeout_seconds ?? max, max) * 1000,
      maxOutputBytes,
      signal: context.signal,
    });
    const how = describeEnd({ ...end, end: wayOfEnding(end) });
    const output = context.scrub(end.output);
    // what is kept of it shows no more lines of a file than the round may
    const printed = await countPrinted(args, output, context);
    const { read_lines: lines, output_bytes: bytes } = context.policy.limits;
    const shown = showEnds(printed.output, { lines, bytes }, context.outputs);
    const back = showPutBack(end, {
      context,
      maxBytes: Math.max(leastDiff, bytes - Buffer.byteLength(shown)),
    });
    const refused =
      end.refusedConnections === undefined || end.refusedConnections === 0
        ? ''
        : `\n[${end.refusedConnections} outgoing connections refused: the sandbox has no ${end.connections === undefined ? 'network' : 'network except its proxy'}]`;
    const unlisted = (end.connections ?? []).filter(c => !c.allowed).slice(0, 10);
    const kept = unlisted.map(c => `\n[refused: ${context.scrub(c.host)}:${c.port}, ${c.reason}]`);
    return {
      text: `${how}, ${end.durationMs} ms\n${shown}${refused}${kept.join('')}${back.text}`,
      paths: end.putBack,
      isUnwritten: end.putBack.length > 0 || end.changes !== undefined ? 'put-back' : undefined,
      events: [...printed.events, ...back.events, ...(await seenIn(shown, context))],
      facts: commandFacts(end, output),
      // a command that ends by itself did its work, whatever its exit status
      failed: end.limit === undefined && end.began ? undefined : `the command ${how}`,
      errorLog: end.limit === undefined && end.began ? undefined : output,
    };
  },
});

/** Fewest bytes that the diff of what a command wrote may have. */
const leastDiff = 2_000;

/** What a command wrote to project files, which is put back and kept for apply_patch. */
function showPutBack(
  { putBack, changes, modules }: Pick<ContainedCommandEnd, 'putBack' | 'changes' | 'modules'>,
  { context, maxBytes }: { readonly context: ToolContext; readonly maxBytes: number },
): Pick<ShownChanges, 'text' | 'events'> {
  const restored =
    putBack.length === 0
      ? ''
      : `\n[put back, not in the patch; apply_patch changes files: ${putBack.slice(0, 20).join(', ')}]`;
  const held =
    modules.length === 0
      ? restored
      : `${restored}\n[not in the patch, which can hold no submodule: ${listFirst(modules, String, { most: 20 })}]`;
  if (changes === undefined) return { text: held, events: [] };
  const { text, events, left } = showChanges(
    changes.changes.map(({ path, before, after }) => ({
      path,
      mode: describeMode({ before, after }),
      before: parseState(before),
      after: parseState(after),
    })),
    maxBytes,
  );
  context.commandBook.add(changes, left);
  if (changes.changes.length === 0) return { text: held, events };
  const how = `[#${changes.name}: apply_patch {"from_command": "${changes.name}"} takes it over]`;
  return { text: `${held}\n${how}\n${context.scrub(text)}`, events };
}

/** Most files of a command line whose lines are looked for in its output. */
const maxFiles = 50;

interface Printed {
  /** The output without lines that are more than the round may show of a file. */
  readonly output: string;
  readonly events: readonly EvidenceEvent[];
}

/**
 * Counts what a command line prints of the tracked files that it names, by words or patterns. Nothing of it becomes
 * editable, and it leads to no file.
 */
export async function countPrinted(
  { command, folder = '' }: { readonly command: string; readonly folder?: string | undefined },
  output: string,
  context: ToolContext,
): Promise<Printed> {
  const { evidence, policy } = context;
  const files = await findNamedFiles(command, folder, context);
  if (files.size === 0 || output === '') return { output, events: [] };
  const most = policy.limits.read_lines;
  const counters = [...files].map(([path, lines]) =>
    openCounter(path, lines, evidence.readThisRound),
  );
  const left = new Map<string, number>();
  const rows = output.split('\n').filter(row => {
    const text = row.replace(numbered, '');
    const counter = counters.find(b => b.has(row)) ?? counters.find(b => b.has(text));
    if (counter === undefined) return true;
    if (counter.take(counter.has(row) ? row : text, most)) return true;
    left.set(counter.path, (left.get(counter.path) ?? 0) + 1);
    return false;
  });
  const notes = [...left].map(
    ([path, count]) =>
      `[${count} lines of ${path} left out: a round shows ${most.toLocaleString('en')} lines of a file]`,
  );
  const events = counters.flatMap((b): EvidenceEvent[] =>
    b.printed.size === 0 ? [] : [{ kind: 'printed', path: b.path, lines: toLineRanges(b.printed) }],
  );
  return { output: [...rows, ...notes].join('\n'), events };
}

/** What `cat -n`, `nl` and `grep -n` put before a line. */
const numbered = /^(?:[^\s:]+:)?\s*\d+[\t: -]\s?/;

/** The lines of one file: which of them the round has shown, and which an output prints. */
function openCounter(
  path: string,
  lines: readonly string[],
  readThisRound: ToolContext['evidence']['readThisRound'],
) {
  const numbers = Map.groupBy(lines.keys(), i => lines[i] ?? '');
  const shown = new Set(readThisRound.get(path));
  const printed = new Set<number>();
  return {
    path,
    printed,
    /** True for the text of a line; blank lines tell nothing. */
    has: (text: string) => text.trim() !== '' && numbers.has(text),
    /** Counts a line as printed; false if it is one more than the round may show. */
    take: (text: string, most: number): boolean => {
      const all = (numbers.get(text) ?? []).map(i => i + 1);
      const line = all.find(n => !printed.has(n)) ?? all[0] ?? 0;
      if (!shown.has(line) && shown.size >= most) return false;
      shown.add(line);
      printed.add(line);
      return true;
    },
  };
}

/** The tracked text files that a command line names, with their lines. */
async function findNamedFiles(
  command: string,
  folder: string,
  { session }: ToolContext,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const named = namedPaths(command, folder).flatMap(path => normalisePath(path) || []);
  const patterns = command
    .split(/[\s;|&<>()'"]+/)
    .flatMap(word => (/[*?]/.test(word) ? (filePattern(inFolder(folder, word)) ?? []) : []));
  const matching =
    patterns.length === 0
      ? []
      : (await session.files()).map(f => f.path).filter(path => patterns.some(fits => fits(path)));
  const found = new Map<string, readonly string[]>();
  for (const path of new Set([...named, ...matching].slice(0, maxFiles))) {
    const facts = await session.facts(path);
    if (facts.kind === 'file' && facts.tracked) found.set(path, facts.lines);
  }
  return found;
}

function inFolder(folder: string, pattern: string): string {
  const root = normalisePath(folder) ?? '';
  return root === '' ? pattern : `${root}/${pattern}`;
}
