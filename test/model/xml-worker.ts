/** Reads one large reply a message, in a thread whose memory is bounded by whoever starts it. */
import { parentPort } from 'node:worker_threads';
import { grammarOf } from '../../src/model/xml-grammar.ts';
import { XmlReader } from '../../src/model/xml-reader.ts';
import { tools } from '../../src/tools/index.ts';

const grammar = grammarOf(tools.map(t => t.definition));

parentPort?.on('message', ({ shape, chars }: { shape: string; chars: number }) => {
  const reader = new XmlReader(grammar);
  const chunk = shape.repeat(Math.ceil(65_536 / shape.length));
  for (let sent = 0; sent < chars; sent += chunk.length) reader.write(chunk);
  parentPort?.postMessage(reader.close().problems[0]?.code ?? 'fine');
});
