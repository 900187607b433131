/**
 * The floor of `npm run bench -- speed`: a bare loop that posts prepared requests, does the calls of each
 * answer, and ends. It checks, records and isolates nothing. Arguments: the address of the model, a folder
 * with a request per file, the checkout, and the test command.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [url = '', requests = '', checkout = '', testCommand = ''] = process.argv.slice(2);

interface Call {
  readonly name: string;
  text: string;
}

/** The arguments of all calls that the script of the benchmark makes. */
interface Given {
  readonly pattern: string;
  readonly requests: readonly [{ file_path: string; start_line: number; end_line: number }];
  readonly files: readonly [
    { path: string; edits: readonly { start_line: number; content: string }[] },
  ];
}

const linesOf = (path: string) => readFileSync(join(checkout, path), 'utf8').split('\n');

const tools: Readonly<Record<string, (given: Given) => unknown>> = {
  grep: ({ pattern }) =>
    readdirSync(checkout, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && !entry.parentPath.includes('.git'))
      .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .flatMap(text => text.split('\n').filter(line => line.includes(pattern))),
  read_code_block: ({ requests: [{ file_path, start_line, end_line }] }) =>
    linesOf(file_path).slice(start_line - 1, end_line),
  apply_patch: ({ files: [{ path, edits }] }) => {
    const lines = linesOf(path);
    for (const { start_line, content } of edits) lines[start_line - 1] = content;
    writeFileSync(join(checkout, path), lines.join('\n'));
  },
  verify: () => {
    const { status } = spawnSync('sh', ['-c', testCommand], { cwd: checkout });
    if (status !== 0) throw new Error(`the test command ended with ${status}`);
  },
};

/** Joins the calls of a stream, whose arguments come in pieces. */
function listCalls(stream: string): readonly Call[] {
  const calls: Call[] = [];
  for (const line of stream.split('\n').filter(l => l.startsWith('data: {'))) {
    for (const piece of JSON.parse(line.slice(6)).choices[0]?.delta.tool_calls ?? []) {
      const call = calls[piece.index] ?? { name: piece.function.name, text: '' };
      call.text += piece.function.arguments;
      calls[piece.index] = call;
    }
  }
  return calls;
}

const headers = { 'content-type': 'application/json' };
const count = readdirSync(requests).length;
for (let i = 0; i < count; i++) {
  const body = readFileSync(join(requests, `${i}.json`));
  const answer = await fetch(`${url}/chat/completions`, { method: 'POST', headers, body });
  for (const { name, text } of listCalls(await answer.text()))
    tools[name]?.(JSON.parse(text) as Given);
}
