import { describe, expect, it } from 'vitest';
import { makeErrorRequest } from '../../../src/navigation/servers/language-server.ts';

const file = { uri: 'file:///w/a.ts', file: '/w/a.ts' };

/** The requests that a server with these capabilities gets, each answered by the next reply. */
async function ask(capabilities: object, replies: readonly unknown[]) {
  const sent: [string, object][] = [];
  const request = makeErrorRequest(capabilities);
  const send = async <T>(method: string, params: object): Promise<T> => {
    sent.push([method, params]);
    return replies[sent.length - 1] as T;
  };
  return { sent, found: await request?.(send, file) };
}

describe('the errors of a file', () => {
  it('are asked for by the protocol where the server supports that', async () => {
    const range = { start: { line: 3, character: 1 }, end: { line: 3, character: 2 } };
    const items = [{ range, severity: 1, message: 'is not a number' }];
    const { sent, found } = await ask({ diagnosticProvider: {} }, [{ kind: 'full', items }]);
    expect(sent).toEqual([['textDocument/diagnostic', { textDocument: { uri: file.uri } }]]);
    expect(JSON.stringify(found)).toContain('is not a number');
  });

  it('are none in a reply that says that nothing changed', async () => {
    const { found } = await ask({ diagnosticProvider: {} }, [{ kind: 'unchanged', resultId: '1' }]);
    expect(found).toEqual([]);
  });

  it("are asked of TypeScript's own server for syntax and for types", async () => {
    const capabilities = { executeCommandProvider: { commands: ['typescript.tsserverRequest'] } };
    const start = { line: 4, offset: 2 };
    const body = [{ start, end: start, text: 'has no type', category: 'error', code: 1 }];
    const { sent, found } = await ask(capabilities, [{ body: [] }, { body }]);
    const asked = ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync'];
    expect(sent).toEqual(
      asked.map(name => [
        'workspace/executeCommand',
        { command: 'typescript.tsserverRequest', arguments: [name, { file: file.file }] },
      ]),
    );
    expect(JSON.stringify(found)).toContain('has no type');
  });

  it('cannot be asked for where a server only sends them by itself', async () => {
    const { sent, found } = await ask({ executeCommandProvider: { commands: ['other'] } }, []);
    expect([sent, found]).toEqual([[], undefined]);
  });
});
