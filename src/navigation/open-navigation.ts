/** Navigation of a run: the index over its session, and language servers in its sandbox. */
import { oneAtATime } from '../base/once.ts';
import type { Environment } from '../process/environment.ts';
import { findProgram, findProjectProgram } from '../sandbox/probe/machine.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Settings } from '../settings/settings.ts';
import type { FileChange } from '../workspace/files/change.ts';
import type { Session } from '../workspace/session/session.ts';
import type { View, ViewMount } from '../workspace/views/view.ts';
import { detectLanguage } from './languages.ts';
import type { LookupSource } from './lookup.ts';
import { type Navigator, openNavigator } from './navigator.ts';
import {
  openServers,
  ServerNotAllowed,
  type Servers,
  type ServersOptions,
  serverTable,
} from './servers/servers.ts';
import type { Symbols } from './symbols.ts';
import type { ProgramRunner } from './syntax/program-syntax.ts';
import { openSyntaxChecker, type SyntaxChecker } from './syntax/syntax.ts';

interface NavigationOptions {
  readonly session: Session;
  readonly symbols: Symbols;
  readonly settings: Pick<Settings, 'languageServers'>;
  readonly env: Environment;
  readonly sandbox: () => Promise<Sandbox>;
  readonly openView: (sandbox: Sandbox, changes: readonly FileChange[]) => Promise<View>;
  readonly log: (line: string) => void;
  readonly limits?: ServersOptions['limits'];
}

export interface Navigation {
  readonly source: LookupSource;
  readonly navigator: Navigator;
  readonly syntax: SyntaxChecker;
  readonly servers: Servers | undefined;
  close(): Promise<void>;
}

/** Opens navigation. No server or parser starts before the first lookup or patch needs it. */
export function openNavigation(options: NavigationOptions): Navigation {
  const { session, settings, env } = options;
  const source = lookupSource(session, options.symbols);
  const checkout = session.git.checkout;
  const views: View[] = [];
  const servers =
    settings.languageServers === 'off'
      ? undefined
      : openServers({
          table: serverTable,
          find: ({ program, unless }) =>
            findProjectProgram({ program, unless: unless }, { env, workspacePath: checkout }),
          start: async argv => {
            const sandbox = await options.sandbox();
            // without isolation a server would see the checkout itself, and could write there
            if (!sandbox.mounts) throw new ServerNotAllowed('there is no sandbox for it');
            // each start has its own view, since a mounted view must not be changed from outside
            const view = await options.openView(sandbox, session.changes());
            views.push(view);
            return sandbox.start({
              caller: 'language_server',
              argv,
              view,
              cwd: '.',
              network: false,
            });
          },
          root: checkout,
          changed: () => readTexts(session, source),
          text: source.text,
          log: options.log,
          limits: options.limits,
        });
  return {
    source,
    navigator: openNavigator(source, servers),
    syntax: openSyntaxChecker(options.symbols, parserRunner(options, views)),
    servers,
    close: async () => {
      await servers?.close();
      for (const view of views) await view.close();
    },
  };
}

/** Runs parsers of the machine one after the other, in one view that is empty of the run's changes. */
function parserRunner(options: NavigationOptions, views: View[]): ProgramRunner {
  const { env, session } = options;
  const inTurn = oneAtATime();
  let view: Promise<View> | undefined;
  return (parser, text) =>
    inTurn(async () => {
      const workspacePath = session.git.checkout;
      const program = findProgram(parser.program, { env, workspacePath });
      if (program === undefined) return undefined;
      const sandbox = await options.sandbox();
      // a text of the model never reaches a parser that no sandbox holds
      if (!sandbox.mounts) return undefined;
      view ??= options.openView(sandbox, []).then(opened => {
        views.push(opened);
        return opened;
      });
      return parseInSandbox(sandbox, { line: parser.line, program, text, view: await view });
    });
}

interface ParseCommand {
  /** A shell line that reads the text from its standard input; `$0` is the program. */
  readonly line: string;
  readonly program: string;
  readonly text: string;
  readonly view: ViewMount;
}

const maxMs = 10_000;
const maxOutput = 65_536;

/** What the line printed, at most 64 KiB; undefined when it took too long. It has no network. */
export async function parseInSandbox(
  sandbox: Pick<Sandbox, 'start'>,
  { line, program, text, view }: ParseCommand,
): Promise<string | undefined> {
  const argv = ['sh', '-c', line, program];
  const running = sandbox.start({ caller: 'syntax', argv, view, cwd: '.', network: false });
  let printed = '';
  running.output.setEncoding('utf8');
  running.output.on('data', (part: string) => {
    if (printed.length < maxOutput) printed += part;
  });
  const closed = new Promise<void>(resolve => running.output.on('close', resolve));
  running.input.end(text);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>(resolve => {
    timer = setTimeout(() => {
      running.stop();
      resolve(undefined);
    }, maxMs);
  });
  const end = await Promise.race([late, Promise.all([running.ended, closed])]);
  clearTimeout(timer);
  return end === undefined ? undefined : printed;
}

/** Search and texts of a session, for the index. */
export function lookupSource(session: Session, symbols: Symbols): LookupSource {
  const words = { folder: '', fixed: true, ignoreCase: false, word: true };
  const { git } = session;
  // listed once: the base may hold many files, and a patch few
  let ofBase: Promise<ReadonlySet<string>> | undefined;
  const codeEndings = async () => {
    ofBase ??= git.listTreeEntries(git.tree).then(entries => endingsOfCode(entries.keys()));
    const added = endingsOfCode(session.changes().map(({ path }) => path));
    return [...(await ofBase).union(added)];
  };
  return {
    symbols,
    search: async (word, where) =>
      session.grep({
        ...words,
        patterns: [word],
        endings: where === 'code' ? await codeEndings() : undefined,
      }),
    filesHolding: async wanted => {
      if (wanted.length === 0) return new Map();
      const { hits } = await session.grep({ ...words, patterns: wanted, matchesOnly: true });
      return new Map(
        wanted.map(w => [w, new Set(hits.filter(h => h.text === w).map(h => h.path))]),
      );
    },
    text: path => session.plainText(path),
  };
}

/** File endings that the index can read; a search limited to them reads far less. */
function endingsOfCode(paths: Iterable<string>): ReadonlySet<string> {
  const endings = new Map<string, boolean>();
  for (const path of paths) {
    const ending = path.slice(path.lastIndexOf('.'));
    if (!endings.has(ending)) endings.set(ending, detectLanguage(path) !== undefined);
  }
  return new Set([...endings].filter(([, known]) => known).map(([ending]) => ending));
}

async function readTexts(session: Session, { text }: LookupSource) {
  const texts = session.changes().map(async ({ path }) => [path, await text(path)] as const);
  return new Map(await Promise.all(texts));
}
