/** Reads one large reply for each message, in a thread with the memory limit of the test. */
import { parentPort } from 'node:worker_threads';
import { buildGrammar } from '../../../src/model/protocols/xml-grammar.ts';
import { readXml } from '../../../src/model/protocols/xml-reader.ts';
import { tools } from '../../../src/tools/index.ts';

const grammar = buildGrammar(tools.map(t => t.definition));

parentPort?.on('message', ({ shape, chars }: { shape: string; chars: number }) => {
  const reply = shape.repeat(Math.ceil(chars / shape.length));
  parentPort?.postMessage(readXml(reply, grammar).problems[0]?.code ?? 'fine');
});
