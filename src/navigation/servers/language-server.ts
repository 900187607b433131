/** Talks to one language server over stdio. Every reply has a time limit and is untrusted. */
import { pathToFileURL } from 'node:url';
import type { MessageConnection } from 'vscode-jsonrpc';
import type {
  Definition,
  DocumentDiagnosticReport,
  InitializeParams,
  InitializeResult,
  LocationLink,
  RegistrationParams,
} from 'vscode-languageserver-protocol';
import type { Running } from '../../process/run-process.ts';
import {
  type FoundPositions,
  readLocations,
  type ServerProblem,
  serverProblems,
  type TsserverReply,
  tsserverProblems,
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
   * Errors in a shown file; undefined if the server cannot be asked for them. What servers send unasked
   * is not read: nothing says when it is complete.
   */
  errors(path: string): Promise<readonly ServerProblem[] | undefined>;
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
  /** What the server registered after its start. */
  const registered: string[] = [];
  const connection = await connect(running, registered);
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
    errors: async path => {
      const file = uriOf(path);
      const method = 'textDocument/diagnostic';
      if (capabilities.diagnosticProvider || registered.includes(method)) {
        const params = { textDocument: { uri: file } };
        const report = await send<DocumentDiagnosticReport>(method, params, limits.reportMs);
        return serverProblems(('items' in report && report.items) || []);
      }
      const command = 'typescript.tsserverRequest';
      if (!capabilities.executeCommandProvider?.commands.includes(command)) return undefined;
      // typescript-language-server has no request for errors, but passes this one on to its tsserver
      const params = { command, arguments: ['semanticDiagnosticsSync', { file }] };
      const reply = await send<TsserverReply>('workspace/executeCommand', params, limits.reportMs);
      return tsserverProblems(reply);
    },
    close: async () => {
      await send('shutdown', {}, 1_000).catch(() => {}); // it is stopped in any case
      connection.dispose();
      running.stop();
      await running.ended;
    },
  };
}

async function connect(running: Running, registered: string[]): Promise<MessageConnection> {
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
  connection.onRequest('client/registerCapability', (request: Partial<RegistrationParams>) => {
    registered.push(...(request.registrations ?? []).map(r => r.method));
    return null;
  });
  connection.onRequest('workspace/diagnostic/refresh', () => null);
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
        diagnostic: { dynamicRegistration: true },
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
  const errors = running.errors();
  throw new Error(`${name} has ended${errors === '' ? '' : `: ${errors.split('\n').at(-1)}`}`);
}

function inTime<T>(work: Promise<T>, { ms, name }: { ms: number; name: string }): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new SlowServer(name, ms)), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
