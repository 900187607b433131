/** run_command: runs a shell line in the sandbox; files that it writes never reach the patch. */
import * as z from 'zod';
import { listFirst } from '../base/plural.ts';
import type { Claim } from '../guard/claim.ts';
import { normalisePath } from '../guard/paths.ts';
import { type ContainedCommandEnd, commandFacts } from '../sandbox/command-view.ts';
import { wayOfEnding } from '../sandbox/egress/log-commands.ts';
import { describeMode } from '../workspace/files/change.ts';
import { describeEnd } from '../workspace/session/command-record.ts';
import { readShellForm } from './known-forms.ts';
import { showEnds } from './output-ends.ts';
import { printedFiles, simpleCommands, writtenFiles } from './shell-line.ts';
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
    const { read_lines: lines, output_bytes: bytes } = context.policy.limits;
    const shown = showEnds(output, { lines, bytes });
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
      events: [...back.events, ...(await seenIn(shown, context))],
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
