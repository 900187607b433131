/** How a language server is asked for the errors of a file, where it can be asked. */
import type { DocumentDiagnosticReport, ServerCapabilities } from 'vscode-languageserver-protocol';
import { type ServerProblem, serverProblems, tsserverProblems } from './server-answers.ts';

/** A command of typescript-language-server: a request to TypeScript's own server behind it. */
const tsserverRequest = 'typescript.tsserverRequest';

type Ask = <T>(method: string, params: object) => Promise<T>;

interface Asked {
  readonly uri: string;
  /** Absolute. */
  readonly file: string;
}

/** How a server is asked for the errors of a file; null when it can only be listened to. */
export function pullOf(
  capabilities: ServerCapabilities,
): ((ask: Ask, of: Asked) => Promise<readonly ServerProblem[]>) | null {
  if (capabilities.diagnosticProvider)
    return async (ask, { uri }) => {
      const params = { textDocument: { uri } };
      const report = await ask<DocumentDiagnosticReport>('textDocument/diagnostic', params);
      return serverProblems(('items' in report && report.items) || []);
    };
  if (!capabilities.executeCommandProvider?.commands.includes(tsserverRequest)) return null;
  // reports syntax first and types whenever they are done; the server behind it answers at once
  return async (ask, { file }) => {
    const found: ServerProblem[] = [];
    for (const request of ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync']) {
      const params = { command: tsserverRequest, arguments: [request, { file }] };
      const answer = await ask<{ readonly body?: unknown }>('workspace/executeCommand', params);
      found.push(...tsserverProblems(answer?.body));
    }
    return found;
  };
}
