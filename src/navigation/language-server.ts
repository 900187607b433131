/** One language server, spoken to over stdio; every answer has a time limit, and none is trusted. */
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { MessageConnection } from 'vscode-jsonrpc';
import type {
  Definition,
  InitializeParams,
  InitializeResult,
  Location,
  LocationLink,
  PublishDiagnosticsParams,
  SymbolInformation,
  WorkspaceSymbol,
} from 'vscode-languageserver-protocol';
import type { Running } from '../process/run-process.ts';
import {
  placesOf,
  relative,
  type ServerPlace,
  type ServerProblem,
  serverProblems,
} from './server-answers.ts';
import { pullOf } from './server-errors.ts';

/** A position as the protocol counts: from 0, characters in UTF-16. */
export interface ServerPosition {
  readonly line: number;
  readonly character: number;
}

export interface LanguageServer {
  readonly name: string;
  /** Places inside the root, and how many lie outside of it. */
  ask(
    what: 'definition' | 'references',
    path: string,
    position: ServerPosition,
  ): Promise<{ readonly places: readonly ServerPlace[]; readonly outside: number }>;
  /** Places of symbols of exactly this name, anywhere in the project. */
  named(
    name: string,
  ): Promise<{ readonly places: readonly ServerPlace[]; readonly outside: number }>;
  /** Makes the server see these texts; `null` when a file is gone. */
  show(texts: ReadonlyMap<string, string | null>): void;
  /**
   * Errors in a file after texts were shown by `show`; null when it says nothing in time.
   * Asked for where the server can be asked, else awaited.
   */
  errorsAfter(path: string, show: () => Promise<void>): Promise<readonly ServerProblem[] | null>;
  /** The last that it said of a file by itself. */
  lastErrors(path: string): readonly ServerProblem[] | null;
  close(): Promise<void>;
}

export interface ServerOptions {
  readonly name: string;
  /** The folder that it serves, at the path at which it sees it. */
  readonly root: string;
  readonly languageOf: (path: string) => string;
  readonly running: Running;
  readonly initializationOptions: object;
  /** Milliseconds: for its start, for an answer, for what it reports by itself. */
  readonly limits: {
    readonly startMs: number;
    readonly answerMs: number;
    readonly reportMs: number;
  };
}

/** It did not answer in time; asking it again would cost as much again. */
export class SlowServer extends Error {
  constructor(name: string, ms: number) {
    super(`${name} did not answer in ${ms / 1000} s`);
  }
}

/**
 * Starts the conversation.
 * @throws Error when it does not begin in time, or ends before.
 */
export async function openLanguageServer(options: ServerOptions): Promise<LanguageServer> {
  const { running, limits, name } = options;
  const connection = await connect(running);
  const reports = listenForReports(connection, options.root);
  const send = async <T>(method: string, params: object, ms: number): Promise<T> =>
    inTime(Promise.race([connection.sendRequest<T>(method, params), gone(running, name)]), {
      ...{ ms, name },
    });
  const root = pathToFileURL(options.root).href;
  const { capabilities } = await send<InitializeResult>(
    'initialize',
    initializeParams(root, options.initializationOptions),
    limits.startMs,
  );
  await connection.sendNotification('initialized', {});
  const versions = new Map<string, number>();
  const uriOf = (path: string) => pathToFileURL(`${options.root}/${path}`).href;
  return {
    name,
    show: texts => {
      if (texts.size > 0) reports.current.clear();
      for (const [path, text] of texts) show(connection, { path, text, uriOf, versions, options });
    },
    ...questions({ send, uriOf, options }),
    lastErrors: path => reports.last.get(path) ?? null,
    errorsAfter: async (path, change) => {
      const ask = pullOf(capabilities);
      if (ask !== null) {
        await change();
        const errors = await ask((method, params) => send(method, params, limits.reportMs), {
          uri: uriOf(path),
          file: `${options.root}/${path}`,
        });
        reports.last.set(path, errors);
        return errors;
      }
      const next = reports.next(path);
      await change();
      if (reports.current.has(path)) return reports.last.get(path) ?? null; // nothing was news to it
      const all = next.then(() => settled(reports, path));
      return inTime(all, { ms: limits.reportMs, name }).catch(() => null);
    },
    close: async () => {
      await send('shutdown', {}, 1_000).catch(() => {}); // it is stopped all the same
      connection.dispose();
      running.stop();
      await running.ended;
    },
  };
}

interface Talk {
  readonly send: <T>(method: string, params: object, ms: number) => Promise<T>;
  readonly uriOf: (path: string) => string;
  readonly options: ServerOptions;
}

/** What it can be asked; each answer is read as foreign. */
function questions({ send, uriOf, options }: Talk): Pick<LanguageServer, 'ask' | 'named'> {
  const { limits } = options;
  return {
    ask: async (what, path, position) => {
      const params = {
        ...{ textDocument: { uri: uriOf(path) }, position },
        ...(what === 'references' ? { context: { includeDeclaration: true } } : {}),
      };
      const answer = await send<Definition | LocationLink[] | null>(
        `textDocument/${what}`,
        params,
        limits.answerMs,
      );
      return placesOf(options.root, answer);
    },
    named: async query => {
      const answer = await send<readonly (SymbolInformation | WorkspaceSymbol)[] | null>(
        'workspace/symbol',
        { query },
        limits.answerMs,
      );
      const exact = (answer ?? []).filter(s => s.name === query || s.name === `${query}()`);
      return placesOf(
        options.root,
        exact.map(s => s.location as Location),
      );
    },
  };
}

/** A server may report syntax first and types after it: it has said all when it is silent for so long. */
const silenceMs = 800;

/** The last of the reports that follow one another. */
async function settled(reports: Reports, path: string): Promise<readonly ServerProblem[] | null> {
  const next = reports.next(path).then(() => true);
  const more = await Promise.race([next, pause(silenceMs, false)]);
  return more ? settled(reports, path) : (reports.last.get(path) ?? null);
}

type Reports = ReturnType<typeof listenForReports>;

/** What the server says of files by itself; `current`: files that it looked at since it was last shown one. */
function listenForReports(connection: MessageConnection, root: string) {
  const last = new Map<string, readonly ServerProblem[]>();
  const current = new Set<string>();
  const waiting = new Map<string, (found: readonly ServerProblem[]) => void>();
  connection.onNotification(
    'textDocument/publishDiagnostics',
    (report: PublishDiagnosticsParams) => {
      const path = relative(root, report.uri);
      if (path === null) return;
      const errors = serverProblems(report.diagnostics);
      last.set(path, errors);
      current.add(path);
      waiting.get(path)?.(errors);
      waiting.delete(path);
    },
  );
  const next = (path: string) =>
    new Promise<readonly ServerProblem[]>(resolve => waiting.set(path, resolve));
  return { last, current, next };
}

async function connect(running: Running): Promise<MessageConnection> {
  // loaded here, since most runs ask no server
  const rpc = await import('vscode-jsonrpc/node');
  const connection = rpc.createMessageConnection(
    new rpc.StreamMessageReader(running.output),
    new rpc.StreamMessageWriter(running.input),
  );
  connection.onError(() => {}); // a server that cannot be understood is one that does not answer
  connection.onRequest('workspace/configuration', (asked: { items?: readonly unknown[] }) =>
    (asked.items ?? []).map(() => null),
  );
  connection.onRequest('client/registerCapability', () => null);
  connection.onRequest('window/workDoneProgress/create', () => null);
  connection.listen();
  return connection;
}

function initializeParams(rootUri: string, initializationOptions: object): InitializeParams {
  return {
    initializationOptions,
    processId: null,
    rootUri,
    workspaceFolders: [{ uri: rootUri, name: 'workspace' }],
    capabilities: {
      general: { positionEncodings: ['utf-16'] },
      workspace: { configuration: true, workspaceFolders: true },
      textDocument: {
        definition: { linkSupport: false },
        references: {},
        documentSymbol: { hierarchicalDocumentSymbolSupport: true },
        publishDiagnostics: { relatedInformation: false },
        diagnostic: {},
        synchronization: { didSave: false },
      },
    },
  };
}

interface Shown {
  readonly path: string;
  readonly text: string | null;
  readonly uriOf: (path: string) => string;
  readonly versions: Map<string, number>;
  readonly options: ServerOptions;
}

function show(
  connection: MessageConnection,
  { path, text, uriOf, versions, options }: Shown,
): void {
  const uri = uriOf(path);
  const version = versions.get(path);
  const tell = (method: string, params: object) =>
    void connection.sendNotification(`textDocument/${method}`, params).catch(() => {}); // it has ended
  if (text === null) {
    if (version !== undefined) tell('didClose', { textDocument: { uri } });
    versions.delete(path);
    return;
  }
  versions.set(path, (version ?? 0) + 1);
  if (version === undefined) {
    const languageId = options.languageOf(path);
    tell('didOpen', { textDocument: { uri, languageId, version: 1, text } });
    return;
  }
  tell('didChange', { textDocument: { uri, version: version + 1 }, contentChanges: [{ text }] });
}

async function gone(running: Running, name: string): Promise<never> {
  await running.ended;
  throw new Error(`${name} has ended`);
}

function inTime<T>(work: Promise<T>, { ms, name }: { ms: number; name: string }): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new SlowServer(name, ms)), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
