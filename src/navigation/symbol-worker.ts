/** The thread that parses: answers the requests of `symbol-thread.ts`, one after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadReply } from '../process/foreign-thread.ts';
import { openShipped } from '../workspace/trusted/shipped.ts';
import { callSymbols, type SymbolCall } from './symbol-calls.ts';
import { openSymbols } from './symbols.ts';

/** The file to start the thread with: this one, or the chunk of the bundle that it became. */
export const symbolWorkerUrl = import.meta.url;

/** What the thread is given: the folder of Photon. */
export interface ThreadData {
  readonly photonRoot: string;
}

const data = workerData as Partial<ThreadData> | null;
if (parentPort !== null && data?.photonRoot !== undefined) {
  const port = parentPort;
  const symbols = openSymbols(openShipped(data.photonRoot));
  const reply = (message: ThreadReply) => port.postMessage(message);
  port.on('message', async (request: SymbolCall) => {
    try {
      await symbols.load(request.path, request.text);
      reply({ kind: 'began' });
      reply({ kind: 'done', result: await callSymbols(symbols, request) });
    } catch (error) {
      reply({ kind: 'failed', message: (error as Error).message });
    }
  });
}
