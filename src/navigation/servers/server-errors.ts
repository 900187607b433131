/** Requests the errors of a file from a language server, if it supports that. */
import type { DocumentDiagnosticReport, ServerCapabilities } from 'vscode-languageserver-protocol';
import { type ServerProblem, serverProblems, tsserverProblems } from './server-replies.ts';

/** A command of typescript-language-server that sends a request to TypeScript's own server. */
const tsserverRequest = 'typescript.tsserverRequest';

type SendRequest = <T>(method: string, params: object) => Promise<T>;

interface RequestedFile {
  readonly uri: string;
  /** The absolute path. */
  readonly file: string;
}

/** The function that requests errors; undefined for a server that only sends them by itself. */
export function makeErrorRequest(
  capabilities: ServerCapabilities,
): ((send: SendRequest, of: RequestedFile) => Promise<readonly ServerProblem[]>) | undefined {
  if (capabilities.diagnosticProvider)
    return async (send, { uri }) => {
      const params = { textDocument: { uri } };
      const report = await send<DocumentDiagnosticReport>('textDocument/diagnostic', params);
      return serverProblems(('items' in report && report.items) || []);
    };
  if (!capabilities.executeCommandProvider?.commands.includes(tsserverRequest)) return undefined;
  // by itself, it reports syntax first and types later; TypeScript's own server replies with both at once
  return async (send, { file }) => {
    const found: ServerProblem[] = [];
    for (const request of ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync']) {
      const params = { command: tsserverRequest, arguments: [request, { file }] };
      const reply = await send<{ readonly body?: unknown }>('workspace/executeCommand', params);
      found.push(...tsserverProblems(reply?.body));
    }
    return found;
  };
}
