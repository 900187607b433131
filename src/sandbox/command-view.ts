/** The view that run_command works in: it follows the session, and nothing flows back. */
import { listFirst } from '../base/plural.ts';
import { differs, type FileChange } from '../workspace/files/change.ts';
import { isNamed } from '../workspace/git/unshown.ts';
import {
  type CommandChanges,
  maxKeptBytes,
  maxKeptFiles,
  nameCommandChanges,
} from '../workspace/session/command-changes.ts';
import type { Session } from '../workspace/session/session.ts';
import type { View } from '../workspace/views/view.ts';
import type { CommandEnd, CommandSpec, Sandbox } from './sandbox.ts';

interface ViewCommand extends Omit<CommandSpec, 'caller' | 'view' | 'readOnly' | 'onOutput'> {
  /** Programs to place in the view, by path; they are not part of the session. */
  readonly scripts?: ReadonlyMap<string, Uint8Array>;
}

export interface CommandView {
  run(command: ViewCommand): Promise<ContainedCommandEnd>;
  close(): Promise<void>;
}

interface CommandViewOptions {
  readonly sandbox: () => Promise<Sandbox>;
  /** Opens a view of the base, after the set-up if there is one. */
  readonly open: (signal: AbortSignal) => Promise<View>;
  /** Adds a note to the outcome. */
  readonly note: (text: string) => void;
}

/** Opens the view at the first command; files that a command leaves stay for the next one. */
export function openCommandView(options: CommandViewOptions, session: Session): CommandView {
  let view: Promise<View> | undefined;
  let placed: readonly string[] = [];
  // nothing but a command moves them: what one left is what the next one finds
  let before: readonly string[] | undefined;
  return {
    run: async command => {
      const sandbox = await options.sandbox();
      view ??= options.open(command.signal);
      const place = await view;
      await removeGone(place, session);
      const tree = await session.tree();
      await place.sync(tree);
      const modules = (await session.files()).filter(f => f.mode === '160000').map(f => f.path);
      before ??= await place.findMoved(tree, modules);
      if (command.scripts !== undefined)
        placed = await placeScripts(place, command.scripts, placed);
      const end = await sandbox.run({ ...command, caller: 'run_command', view: place });
      const now = await place.findMoved(tree, modules);
      const moved = now.filter(path => !before?.includes(path)).toSorted();
      before = now;
      if (moved.length > 0) options.note(describeMoved(moved));
      const { paths, ...found } = await takeBack(place, session, end);
      const changes = nameCommandChanges(found.changes, { ...found, modules: moved });
      const inModules = modules.filter(m => moved.includes(m) || hasChanged(m, end)).toSorted();
      const unexpectedWrites = (end.effects?.written.paths ?? [])
        .filter(path => /^(?:~|\.git)\//.test(path))
        .slice(0, maxUnexpectedWrites);
      return { ...end, putBack: paths, changes, modules: inModules, unexpectedWrites };
    },
    close: async () => (await view?.catch(() => undefined))?.close(),
  };
}

const maxUnexpectedWrites = 20;

function describeMoved(modules: readonly string[]): string {
  const named = listFirst(modules, String, { most: 10 });
  return `A command moved or removed ${modules.length === 1 ? 'the submodule' : 'the submodules'} ${named}. The patch leaves that out, because it can hold no submodule.`;
}

/** True if a command changed or deleted files of a submodule; what it adds there is most often the output of a build. */
const hasChanged = (module: string, { effects }: CommandEnd) =>
  [effects?.changed, effects?.deleted].some(list => list?.paths.some(p => isNamed(p, [module])));

/** Places these scripts and removes the previous ones. Returns the paths of the scripts. */
async function placeScripts(
  view: View,
  scripts: ReadonlyMap<string, Uint8Array>,
  before: readonly string[],
): Promise<readonly string[]> {
  const gone = before.filter(path => !scripts.has(path)).map(path => [path, undefined] as const);
  const states = [...scripts].map(([path, bytes]) => [path, { mode: '100755', bytes }] as const);
  await view.place(new Map([...gone, ...states]));
  return [...scripts.keys()];
}

/** Removes from the view what the session deleted. */
async function removeGone(view: View, session: Session): Promise<void> {
  const gone = session.changes().filter(c => c.after === undefined);
  await view.place(new Map(gone.map(c => [c.path, undefined])));
}

/** Brings the view back to the state of the session after a command, and finds what the command changed. */
async function takeBack(view: View, session: Session, { effects }: CommandEnd) {
  await removeGone(view, session);
  // paths of the home folder and of /tmp have a prefix
  const created = (effects?.written.paths ?? []).filter(path => !/^([~/]|\.git\/)/.test(path));
  const look = { created, maxFiles: maxKeptFiles };
  const { paths, written } = await view.takeBack(await session.tree(), look);
  if (written === undefined) return { paths, changes: [], notKept: paths };
  const changes: FileChange[] = [];
  const notKept: string[] = [];
  for (const path of new Set([...paths, ...written.keys()])) {
    const after = written.get(path);
    const isKept = after === undefined || after.bytes.length <= maxKeptBytes;
    if (isKept) changes.push({ path, before: await session.state(path), after });
    else notKept.push(path);
  }
  return { paths, changes: changes.filter(differs), notKept };
}

/** The end of a command, with what was found in its view afterwards. */
export interface ContainedCommandEnd extends CommandEnd {
  /** Tracked files that it changed; they were restored. */
  readonly putBack: readonly string[];
  /** What it wrote to project files; undefined when it changed and made none. */
  readonly changes: CommandChanges | undefined;
  /** Submodules that it moved or removed, or whose files it changed; the view keeps that. */
  readonly modules: readonly string[];
  /** Files that it added to its home folder or to `.git`; at most 20 paths. */
  readonly unexpectedWrites: readonly string[];
}

const commandLine = /^[^\S\r\n\u2028\u2029]*::[a-zA-Z-]+[^\n]*::|##\[[a-zA-Z-]+/m;

/** Lists what was contained; facts that do not apply are undefined. @param scrubbed the output without secrets. */
export function commandFacts(end: ContainedCommandEnd, scrubbed: string) {
  return {
    exit: end.limit === undefined ? (end.exitCode ?? end.signal) : undefined,
    outputBytes: end.outputBytes,
    limit: end.limit,
    refusedConnections: end.refusedConnections || undefined,
    putBack: end.putBack.length || undefined,
    unexpectedWrites: end.unexpectedWrites.join(', ').slice(0, 500) || undefined,
    secretsRemoved: scrubbed === end.output ? undefined : true,
    workflowCommands: commandLine.test(end.output) || undefined,
  };
}
