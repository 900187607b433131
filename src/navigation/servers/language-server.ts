/** Talks to one language server over stdio. Every reply has a time limit and is untrusted. */
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { MessageConnection } from 'vscode-jsonrpc';
import type {
  Definition,
  DocumentDiagnosticReport,
  InitializeParams,
  InitializeResult,
  LocationLink,
  PublishDiagnosticsParams,
} from 'vscode-languageserver-protocol';
import type { Running } from '../../process/run-process.ts';
import {
  type FoundPositions,
  readLocations,
  relative,
  type ServerProblem,
  serverProblems,
} from './server-replies.ts';

/** A position in the protocol: counted from 0, characters in UTF-16 units. */
export interface ServerPosition {
  readonly line: number;
  readonly character: number;
}

export interface LanguageServer {
  readonly name: string;
  locate(
    what: 'definition' | 'references',
    path: string,
    position: ServerPosition,
  ): Promise<FoundPositions>;
  /** Sends these texts to the server; `undefined` for a deleted file. */
  show(texts: ReadonlyMap<string, string | undefined>): void;
  /**
   * Errors in a file after `show` has sent texts; undefined if the server does not report in time.
   * Requests them if the server supports that, otherwise waits for them.
   */
  errorsAfter(
    path: string,
    show: () => Promise<void>,
  ): Promise<readonly ServerProblem[] | undefined>;
  /** The last errors that the server reported for a file. */
  lastErrors(path: string): readonly ServerProblem[] | undefined;
  close(): Promise<void>;
}

export interface ServerOptions {
  readonly name: string;
  /** The folder of the project, at the path where the server sees it. */
  readonly root: string;
  readonly languageOf: (path: string) => string;
  readonly running: Running;
  readonly initializationOptions: object;
  /** Time limits for its start, for a reply, and for reports. */
  readonly limits: {
    readonly startMs: number;
    readonly replyMs: number;
    readonly reportMs: number;
  };
}

/** The server did not reply in time. Another request would take as long again. */
export class SlowServer extends Error {
  constructor(name: string, ms: number) {
    super(`${name} did not reply within ${ms / 1000} s`);
  }
}

/** Initializes the server. @throws Error if it does not start in time, or ends before. */
export async function openLanguageServer(options: ServerOptions): Promise<LanguageServer> {
  const { running, limits, name } = options;
  const connection = await connect(running);
  const reports = listenForReports(connection, options.root);
  const send = async <T>(method: string, params: object, ms: number): Promise<T> =>
    inTime(Promise.race([connection.sendRequest<T>(method, params), failWhenGone(running, name)]), {
      ms,
      name,
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
    locate: async (what, path, position) => {
      const params = {
        textDocument: { uri: uriOf(path) },
        position,
        context: what === 'references' ? { includeDeclaration: true } : undefined,
      };
      const reply = await send<Definition | LocationLink[] | null>(
        `textDocument/${what}`,
        params,
        limits.replyMs,
      );
      return readLocations(options.root, reply ?? undefined);
    },
    lastErrors: path => reports.last.get(path),
    errorsAfter: async (path, change) => {
      if (capabilities.diagnosticProvider) {
        await change();
        const params = { textDocument: { uri: uriOf(path) } };
        const report = await send<DocumentDiagnosticReport>(
          'textDocument/diagnostic',
          params,
          limits.reportMs,
        );
        const errors = serverProblems(('items' in report && report.items) || []);
        reports.last.set(path, errors);
        return errors;
      }
      const next = reports.next(path);
      await change();
      if (reports.current.has(path)) return reports.last.get(path); // no text was new to it
      const all = next.then(() => waitForLast(reports, path));
      return inTime(all, { ms: limits.reportMs, name }).catch(() => undefined);
    },
    close: async () => {
      await send('shutdown', {}, 1_000).catch(() => {}); // it is stopped in any case
      connection.dispose();
      running.stop();
      await running.ended;
    },
  };
}

/** A server may report syntax errors first and type errors later; after this silence, its reports are complete. */
const silenceMs = 800;

/** Waits for the last of several reports in a row. */
async function waitForLast(
  reports: Reports,
  path: string,
): Promise<readonly ServerProblem[] | undefined> {
  const next = reports.next(path).then(() => true);
  const more = await Promise.race([next, pause(silenceMs, false)]);
  return more ? waitForLast(reports, path) : reports.last.get(path);
}

type Reports = ReturnType<typeof listenForReports>;

/** Collects the reports of the server; `current` holds the files reported since the last text was sent. */
function listenForReports(connection: MessageConnection, root: string) {
  const last = new Map<string, readonly ServerProblem[]>();
  const current = new Set<string>();
  const waiting = new Map<string, (found: readonly ServerProblem[]) => void>();
  connection.onNotification(
    'textDocument/publishDiagnostics',
    (report: PublishDiagnosticsParams) => {
      const path = relative(root, report.uri);
      if (path === undefined) return;
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
  // loaded here, because most runs use no server
  const rpc = await import('vscode-jsonrpc/node');
  const connection = rpc.createMessageConnection(
    new rpc.StreamMessageReader(running.output),
    new rpc.StreamMessageWriter(running.input),
  );
  connection.onError(() => {}); // a server with invalid messages counts as one that does not reply
  connection.onRequest('workspace/configuration', (request: { items?: readonly unknown[] }) =>
    (request.items ?? []).map(() => null),
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

interface SentText {
  readonly path: string;
  readonly text: string | undefined;
  readonly uriOf: (path: string) => string;
  readonly versions: Map<string, number>;
  readonly options: ServerOptions;
}

function show(
  connection: MessageConnection,
  { path, text, uriOf, versions, options }: SentText,
): void {
  const uri = uriOf(path);
  const version = versions.get(path);
  const notify = (method: string, params: object) =>
    void connection.sendNotification(`textDocument/${method}`, params).catch(() => {}); // the server has ended
  if (text === undefined) {
    if (version !== undefined) notify('didClose', { textDocument: { uri } });
    versions.delete(path);
    return;
  }
  versions.set(path, (version ?? 0) + 1);
  if (version === undefined) {
    const languageId = options.languageOf(path);
    notify('didOpen', { textDocument: { uri, languageId, version: 1, text } });
    return;
  }
  notify('didChange', { textDocument: { uri, version: version + 1 }, contentChanges: [{ text }] });
}

async function failWhenGone(running: Running, name: string): Promise<never> {
  await running.ended;
  throw new Error(`${name} has ended`);
}

function inTime<T>(work: Promise<T>, { ms, name }: { ms: number; name: string }): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new SlowServer(name, ms)), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
