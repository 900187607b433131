/** The language servers of a run: each starts at its first request, restarts once if it ends, and is dropped after a timeout. */
import { cutEnd } from '../../base/plural.ts';
import type { Running } from '../../process/run-process.ts';
import { getExtension } from '../languages.ts';
import {
  type LanguageServer,
  openLanguageServer,
  type ServerOptions,
  type ServerPosition,
  SlowServer,
} from './language-server.ts';
import type { FoundPositions, ServerProblem } from './server-replies.ts';

/** Thrown by `start` when servers may not run at all. */
export class ServerNotAllowed extends Error {}

export interface ServersOptions {
  readonly table: readonly ServerEntry[];
  /** Path of a program of the project or of the machine; undefined if it is not installed. */
  readonly find: (entry: ServerEntry) => string | undefined;
  /** Starts a program that sees the session at the path of the checkout. */
  readonly start: (argv: readonly string[]) => Promise<Running>;
  /** The path where servers see the project. */
  readonly root: string;
  /** The current texts of the files that the session changed; undefined for a deleted file. */
  readonly changed: () => Promise<ReadonlyMap<string, string | undefined>>;
  readonly text: (path: string) => Promise<string | undefined>;
  readonly log: (line: string) => void;
  /** By default 20 s to start, 15 s to reply, 3 s to report. */
  readonly limits?: ServerOptions['limits'];
}

export interface ServerLocations extends FoundPositions {
  readonly server: string;
}

export interface Servers {
  /** The reply of the server for the file's language, or undefined. */
  locate(
    what: 'definition' | 'references',
    path: string,
    position: ServerPosition,
  ): Promise<ServerLocations | undefined>;
  /** Errors in a file, from a server that already runs; undefined if none runs, or if it cannot say. */
  errors(path: string): Promise<readonly ServerProblem[] | undefined>;
  /** Problems with servers, for the outcome. */
  notes(): readonly string[];
  /** Every failure of a server so far, in order; a server that may not start has not failed. */
  failures(): readonly string[];
  close(): Promise<void>;
}

const usualLimits = { startMs: 20_000, replyMs: 15_000, reportMs: 3_000 };
const maxStarts = 2;

interface Slot {
  readonly entry: ServerEntry;
  readonly path: string;
  starts: number;
  tellsNoErrors: boolean;
  open: Promise<LanguageServer> | undefined;
  readonly shown: Map<string, string>;
}

export function openServers(options: ServersOptions): Servers {
  const slots = new Map<ServerEntry, Slot | undefined>();
  const notes: string[] = [];
  const failures: string[] = [];
  const slotFor = (path: string): Slot | undefined => {
    const extension = getExtension(path);
    for (const entry of options.table) {
      if (!Object.hasOwn(entry.languages, extension)) continue;
      if (!slots.has(entry)) slots.set(entry, makeSlot(entry, options.find(entry)));
      const slot = slots.get(entry);
      if (slot !== undefined) return slot;
    }
    return undefined;
  };
  const noteFailure = (slot: Slot, error: unknown, hasStarted: boolean) => {
    slot.open = undefined;
    const why = error instanceof Error ? error.message : String(error);
    // typescript-language-server needs a TypeScript in the project: without one, it serves nobody
    const hasNothing = /valid TypeScript installation/.test(why);
    const isSettled = error instanceof ServerNotAllowed || hasNothing;
    // what does not start now does not start at all
    if (!hasStarted || error instanceof SlowServer) slot.starts = maxStarts;
    const note = `The language server ${slot.entry.program} failed (${cutEnd(why, 200)}). Photon used the symbol index instead.`;
    if (!notes.includes(note)) notes.push(note);
    // the tool tells of a failure
    if (isSettled) options.log(note);
    else failures.push(note);
  };
  return {
    notes: () => notes,
    failures: () => failures,
    locate: async (what, path, position) => {
      const slot = slotFor(path);
      if (slot === undefined) return undefined;
      while (slot.open !== undefined || slot.starts < maxStarts) {
        let server: LanguageServer | undefined;
        try {
          server = await running(slot, options);
          await sendChanges({ slot, server, options }, path);
          return { server: server.name, ...(await server.locate(what, path, position)) };
        } catch (error) {
          noteFailure(slot, error, server !== undefined);
          await server?.close();
        }
      }
      return undefined;
    },
    errors: async path => {
      const slot = slotFor(path);
      if (slot?.open === undefined || slot.tellsNoErrors) return undefined;
      try {
        const server = await slot.open;
        await sendChanges({ slot, server, options }, path);
        return slot.shown.has(path) ? await server.errors(path) : [];
      } catch {
        // a server that is slow to tell errors still finds definitions; one that has ended fails at the next lookup
        slot.tellsNoErrors = true;
        return undefined;
      }
    },
    close: async () => {
      const open = [...slots.values()].map(async slot => (await slot?.open)?.close());
      await Promise.allSettled(open);
    },
  };
}

function makeSlot(entry: ServerEntry, path: string | undefined): Slot | undefined {
  return path === undefined
    ? undefined
    : { entry, path, starts: 0, tellsNoErrors: false, open: undefined, shown: new Map() };
}

function running(slot: Slot, options: ServersOptions): Promise<LanguageServer> {
  if (slot.open !== undefined) return slot.open;
  slot.starts += 1;
  slot.shown.clear();
  const { entry, path } = slot;
  options.log(`Language server: ${entry.program}.`);
  slot.open = options.start([path, ...entry.arguments]).then(program =>
    openLanguageServer({
      name: entry.program,
      root: options.root,
      running: program,
      limits: options.limits ?? usualLimits,
      initializationOptions: entry.options ?? {},
      languageOf: file => entry.languages[getExtension(file)] ?? 'plaintext',
    }).catch(error => {
      program.stop();
      throw error;
    }),
  );
  return slot.open;
}

interface OpenedServer {
  readonly slot: Slot;
  readonly server: LanguageServer;
  readonly options: ServersOptions;
}

/** Sends the session's texts of every changed file in the server's languages, and of the requested file. */
async function sendChanges({ slot, server, options }: OpenedServer, path: string): Promise<void> {
  const texts = new Map(await options.changed());
  texts.set(path, await options.text(path));
  const changed = new Map<string, string | undefined>();
  for (const [name, text] of texts) {
    if (!Object.hasOwn(slot.entry.languages, getExtension(name))) continue;
    if (text === undefined ? !slot.shown.has(name) : slot.shown.get(name) === text) continue;
    changed.set(name, text);
    if (text === undefined) slot.shown.delete(name);
    else slot.shown.set(name, text);
  }
  server.show(changed);
}

/** A supported language server, and its languages. */
export interface ServerEntry {
  /** Name of the program, searched in the project, then on the PATH. */
  readonly program: string;
  readonly arguments: readonly string[];
  /** `initializationOptions` of the protocol. */
  readonly options?: object;
  /** A file of the project that shows that this program is not a server there. */
  readonly unless?: string;
  /** Language identifier of the protocol by extension. */
  readonly languages: Readonly<Record<string, string>>;
}

const script = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'typescriptreact',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascriptreact',
};
const c = { c: 'c', h: 'c', cc: 'cpp', cpp: 'cpp', cxx: 'cpp', hh: 'cpp', hpp: 'cpp', hxx: 'cpp' };

/** The first installed server for an extension is used. */
export const serverTable: readonly ServerEntry[] = [
  {
    program: 'tsc', // TypeScript 7 and later
    arguments: ['--lsp', '--stdio'],
    unless: 'node_modules/typescript/lib/tsserver.js',
    languages: script,
  },
  {
    program: 'typescript-language-server',
    arguments: ['--stdio'],
    // its syntax server replies before it has read the project, from open files only
    options: { tsserver: { useSyntaxServer: 'never' } },
    languages: script,
  },
  {
    program: 'pyright-langserver',
    arguments: ['--stdio'],
    languages: { py: 'python', pyi: 'python' },
  },
  {
    program: 'gopls',
    arguments: [],
    options: { pullDiagnostics: true },
    languages: { go: 'go' },
  },
  { program: 'rust-analyzer', arguments: [], languages: { rs: 'rust' } },
  { program: 'clangd', arguments: [], languages: c },
  { program: 'jdtls', arguments: [], languages: { java: 'java' } },
  { program: 'ruby-lsp', arguments: [], languages: { rb: 'ruby', rake: 'ruby' } },
];
