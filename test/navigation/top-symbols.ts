/** The top-level symbols that TypeScript's own language server finds in a file, requested through the protocol. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import { root } from '../harness.ts';

export interface TopSymbols {
  /** Without properties: the members of an object are not definitions. */
  namesIn(path: string): Promise<readonly string[]>;
  close(): void;
}

/** A kind of symbol in the protocol. */
const property = 7;

export async function openTopSymbols(languageId: string): Promise<TopSymbols> {
  const program = join(root, 'node_modules/typescript/bin/tsc');
  const child = spawn(process.execPath, [program, '--lsp', '--stdio'], {
    cwd: root,
    // without a PATH it finds no npm, so that it cannot fetch types from the network
    env: { PATH: '' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.onRequest(() => null);
  connection.listen();
  await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(root).href,
    capabilities: { textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } } },
  });
  await connection.sendNotification('initialized', {});
  return {
    namesIn: async path => {
      const uri = pathToFileURL(path).href;
      const textDocument = { uri, languageId, version: 1, text: readFileSync(path, 'utf8') };
      await connection.sendNotification('textDocument/didOpen', { textDocument });
      const found = await connection.sendRequest<
        readonly { name: string; kind: number }[] | undefined
      >('textDocument/documentSymbol', { textDocument: { uri } });
      return (found ?? []).filter(s => s.kind !== property).map(s => s.name);
    },
    close: () => {
      connection.dispose();
      child.kill();
    },
  };
}
