/**
 * Computes what recorded conversations cost at given prices, beside the floor: a bare loop with the same calls, whose
 * results are plain text. Arguments: prices of 1,000,000 tokens, such as `cached=0.2 output=10`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startGitHub } from '../test/doubles/github.ts';
import { type ScriptedCall, type ScriptedTurn, startModel } from '../test/doubles/model.ts';
import { discard, makeFolder, root, runAction } from '../test/harness.ts';
import { row } from './figures.ts';
import {
  type Bill,
  computeBill,
  type Prices,
  type Request,
  readMessage,
  readRequest,
  tokensOf,
} from './tokens.ts';

/** The prices of a common model. */
export const commonPrices: Prices = { input: 2, cached: 0.2, write: 2.5, output: 10 };

/** Tokens of the system prompt and the definitions of a small agent with four tools (read, write, edit, bash). */
const fixedOfFloor = 1209;

/** Thirty files of folders of packages that the lock file pins, by their new paths. */
function readSources(
  folders: readonly (readonly [from: string, to: string])[],
): Readonly<Record<string, string>> {
  const files = folders.flatMap(([from, to]) => {
    const folder = join(root, 'node_modules', from);
    return readdirSync(folder)
      .filter(name => /(?<!\.d)\.[jt]s$/.test(name))
      .sort()
      .map(name => [`${to}/${name}`, readFileSync(join(folder, name), 'utf8')] as const);
  });
  return Object.fromEntries(files.slice(0, 30));
}

/** What a conversation is about. */
interface Subject {
  readonly sources: Readonly<Record<string, string>>;
  readonly task: string;
  /** The file with the fault, the name that leads to it, and the line in its place. */
  readonly fixed: string;
  readonly symbol: string;
  readonly text: string;
}

/** Files of a parser: few symbols. */
const parser: Subject = {
  sources: readSources([
    ['micromark-core-commonmark/dev/lib', 'lib/constructs'],
    ['micromark/dev/lib/initialize', 'lib/initialize'],
    ['micromark/dev/lib', 'lib/parser'],
  ]),
  fixed: 'lib/constructs/code-fenced.js',
  symbol: 'sizeOpen',
  text: '  const closes = markerSize >= minimum',
  task: 'A closing fence may be longer than the opening one. In codeFenced, compare the size of the marker with the minimum. Make the failing test pass.',
};

/** One fault in a small file, and thirty modules of 200 lines: the shape by which the bill is measured from outside. */
const modules: Subject = {
  sources: {
    'src/math.js': 'export function add(a, b) {\n  return a - b;\n}\n',
    ...Object.fromEntries(
      Array.from({ length: 30 }, (_, m) => {
        const functions = Array.from({ length: 40 }, (_, f) => {
          const name = `step${m}_${f}`;
          return `export function ${name}(value) {\n  const next = value * ${m + f} + ${f};\n  return next;\n}\n`;
        });
        return [`lib/module${m}.js`, functions.join('\n')];
      }),
    ),
  },
  fixed: 'src/math.js',
  symbol: 'add',
  text: '  return a + b;',
  task: 'add returns the difference of its arguments. Correct it. Make the failing test pass.',
};

const listPaths = ({ sources }: Subject) => Object.keys(sources).sort();
const linesOf = ({ sources }: Subject, path: string) => (sources[path] ?? '').split('\n');
const testCommandOf = ({ text }: Subject) => `grep -rqF '${text.trim()}' src lib`;

/** One call, which Photon and the floor make in their own ways. */
type Step =
  | { readonly kind: 'list'; readonly folder: 'lib' }
  | { readonly kind: 'grep'; readonly pattern: string }
  | { readonly kind: 'read'; readonly path: string; readonly start: number; readonly end: number }
  | { readonly kind: 'edit'; readonly line: number; readonly text: string }
  | { readonly kind: 'test' };

const words = [
  'sizeOpen',
  'effects.attempt',
  'codes.eof',
  'previous',
  'resolveTo',
  'markdownSpace',
];

const thoughts: Readonly<Record<Step['kind'], string>> = {
  list: 'I need to know which files there are before I read one. I list them.',
  grep: 'The name leads to the places that matter. I search for it.',
  read: 'These lines decide how the fence is closed. I read just them.',
  edit: 'The comparison must allow a longer fence. One line is to be replaced.',
  test: 'The change stands. The tests must confirm it.',
};

/** A conversation of so many calls that ends with a repair and its proof. */
function makeSteps(subject: Subject, calls: number, reading: 'onward' | 'again'): readonly Step[] {
  const { fixed, symbol, text } = subject;
  const paths = listPaths(subject);
  const looks = Array.from({ length: calls - 4 }, (_, i): Step => {
    const pattern = words[Math.floor(i / 6) % words.length] ?? '';
    if (subject === parser && i % 6 === 5) return { kind: 'grep', pattern };
    const n = subject === parser ? i - Math.floor(i / 6) : i;
    const long = paths.filter(p => linesOf(subject, p).length > 160);
    const path = (reading === 'again' ? fixed : long[n % long.length]) ?? fixed;
    if (reading === 'again') return { kind: 'read', path, start: 1 + n, end: 40 + n };
    const turn = Math.floor(n / long.length);
    return { kind: 'read', path, start: 1 + 40 * turn, end: 40 + 40 * turn };
  });
  const first: Step =
    calls > 4 ? { kind: 'list', folder: 'lib' } : { kind: 'grep', pattern: symbol };
  const lines = linesOf(subject, fixed);
  const at = lines.findIndex(l => l.includes(subject === parser ? symbol : 'return')) + 1;
  const start = Math.max(1, at - 20);
  return [
    first,
    ...looks,
    { kind: 'read', path: fixed, start, end: Math.min(lines.length - 1, start + 39) },
    { kind: 'edit', line: at, text },
    { kind: 'test' },
  ];
}

function callOf({ fixed }: Subject, step: Step): ScriptedCall {
  switch (step.kind) {
    case 'list':
      return { name: 'list_project_files', arguments: { folder: step.folder } };
    case 'grep':
      return { name: 'grep', arguments: { pattern: step.pattern } };
    case 'read': {
      const { path: file_path, start: start_line, end: end_line } = step;
      return { name: 'read_code_block', arguments: { file_path, start_line, end_line } };
    }
    case 'edit': {
      const edits = [{ start_line: step.line, content: step.text }];
      return { name: 'apply_patch', arguments: { files: [{ path: fixed, edits }] } };
    }
    case 'test':
      return { name: 'verify', arguments: {} };
  }
}

const openingOf = ({ fixed, symbol }: Subject): readonly ScriptedCall[] => [
  { name: 'skill_activate', arguments: { skill_name: 'code-modify' } },
  {
    name: 'plan',
    arguments: {
      entry_symbols: [symbol],
      affected_files: [fixed],
      scope: 'correct what the task names',
      max_changed_lines: 5,
    },
  },
];

const end: ScriptedTurn = {
  text: 'The tests pass with the patch, so the run can end here.',
  calls: [{ name: 'finish', arguments: { reason: 'the failing test passes' } }],
};

function makeScript(subject: Subject, steps: readonly Step[]): readonly ScriptedTurn[] {
  const turns = steps.map((step, i) => ({
    text: `${thoughts[step.kind]} It is step ${i + 1}.`,
    calls: [...(i === 0 ? openingOf(subject) : []), callOf(subject, step)],
  }));
  return [...turns, end];
}

interface Conversation {
  readonly requests: readonly Request[];
  readonly replies: readonly string[];
  /** Tokens of the system prompt and the definitions of the tools. */
  readonly fixedTokens: number;
}

/** Plays the steps through the built Action, whose model has these prices, and keeps its requests. */
async function recordPhoton(
  subject: Subject,
  steps: readonly Step[],
  { input, cached, write: cacheWrite, output }: Prices,
): Promise<Conversation> {
  const script = makeScript(subject, steps);
  const prices = { double: { input, cached, cacheWrite, output } };
  const config = { model: { prices } };
  const manifest = { name: 'parser', version: '1.0.0', type: 'module' };
  const seed = {
    ...subject.sources,
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    '.photon/config.json': JSON.stringify(config),
  };
  const github = await startGitHub({ seed });
  const folder = makeFolder();
  const model = await startModel(script);
  try {
    const workspace = join(folder, 'checkout');
    github.clone(workspace);
    const inputs = {
      task: subject.task,
      'max-rounds': '100',
      'test-command': testCommandOf(subject),
    };
    const run = await runAction({ github, modelUrl: model.url, workspace, inputs });
    if (run.outcome.code !== 'COMMITTED')
      throw new Error(`${run.outcome.status} ${run.outcome.code}: ${run.log.slice(-3000)}`);
    const bodies = model.requests.map(r => r.body);
    const last = bodies.at(-1);
    const { tools = [], messages = [] } = last ?? {};
    return {
      requests: bodies.map(readRequest),
      replies: script.map(renderReply),
      fixedTokens: tokensOf(readRequest({ tools, messages: messages.slice(0, 1) })),
    };
  } finally {
    await Promise.all([github.close(), model.close()]);
    discard(folder);
  }
}

const renderReply = ({ text, calls = [] }: ScriptedTurn) =>
  [text, ...calls.map(c => `${c.name}${JSON.stringify(c.arguments)}`)].join('\n');

/** The same steps in a bare loop: short calls, and results without numbers, symbols or checks. */
function playFloor(subject: Subject, steps: readonly Step[]): Conversation {
  const messages = [`user\n${subject.task}`];
  const requests: Request[] = [];
  const replies: string[] = [];
  for (const step of steps) {
    requests.push([...messages]);
    const [name, args, result] = floorCall(subject, step);
    const call = { function: { name, arguments: JSON.stringify(args) } };
    const reply = readMessage({
      role: 'assistant',
      content: thoughts[step.kind],
      tool_calls: [call],
    });
    replies.push(reply);
    messages.push(reply, `tool\n${result}`);
  }
  requests.push(messages);
  return { requests, replies: [...replies, end.text ?? ''], fixedTokens: 0 };
}

function floorCall(subject: Subject, step: Step): readonly [string, object, string] {
  const paths = listPaths(subject);
  const { fixed } = subject;
  switch (step.kind) {
    case 'list':
      return ['bash', { command: `git ls-files ${step.folder}` }, paths.join('\n')];
    case 'grep': {
      const hits = paths.flatMap(path =>
        linesOf(subject, path).flatMap((l, i) =>
          l.includes(step.pattern) ? [`${path}:${i + 1}:${l}`] : [],
        ),
      );
      return ['bash', { command: `grep -rn ${step.pattern} .` }, hits.slice(0, 60).join('\n')];
    }
    case 'read': {
      const { path, start, end: last } = step;
      const text = linesOf(subject, path)
        .slice(start - 1, last)
        .join('\n');
      return ['read', { path, offset: start, limit: 1 + last - start }, text];
    }
    case 'edit': {
      const old = linesOf(subject, fixed)[step.line - 1];
      return ['edit', { path: fixed, oldText: old, newText: step.text }, 'Replaced the text.'];
    }
    case 'test':
      return ['bash', { command: 'npm test' }, 'ok'];
  }
}

/** The bill of the floor, with its fixed part in front of each request. */
function billFloor({ requests, replies }: Conversation, prices: Prices): Bill {
  const bill = computeBill(requests, replies, prices);
  const again = fixedOfFloor * (requests.length - 1);
  const cents = bill.cents + (fixedOfFloor * prices.write + again * prices.cached) / 1e4;
  return {
    ...bill,
    cents,
    inputTokens: bill.inputTokens + fixedOfFloor * requests.length,
    cachedTokens: bill.cachedTokens + again,
  };
}

/** Tokens that one round adds: a reply with one call, and its result. */
function addedTokens({ requests }: Conversation, round: number): number {
  return tokensOf(requests[round + 1] ?? []) - tokensOf(requests[round] ?? []);
}

function readPrices(given: readonly string[]): Prices {
  const named = given.flatMap(text => {
    const [name = '', value = ''] = text.split('=');
    return name in commonPrices ? [[name, Number(value)] as const] : [];
  });
  return { ...commonPrices, ...Object.fromEntries(named) };
}

const average = (numbers: readonly number[]) =>
  Math.round(numbers.reduce((a, b) => a + b, 0) / numbers.length);

/** Prints the bill of each conversation, and the sizes that make it. */
export async function benchBill(given: readonly string[] = []): Promise<void> {
  const prices = readPrices(given);
  const plays = [
    { subject: parser, calls: 4, reading: 'onward', goal: '1.2' },
    { subject: parser, calls: 20, reading: 'onward', goal: '5.5' },
    { subject: parser, calls: 60, reading: 'onward', goal: '24' },
    { subject: parser, calls: 60, reading: 'again', goal: '' },
    { subject: modules, calls: 4, reading: 'onward', goal: '1.2' },
    { subject: modules, calls: 20, reading: 'onward', goal: '5.5' },
    { subject: modules, calls: 60, reading: 'onward', goal: '24' },
  ] as const;
  for (const { subject, calls, reading, goal } of plays) {
    const steps = makeSteps(subject, calls, reading);
    const [photon, floor] = [await recordPhoton(subject, steps, prices), playFloor(subject, steps)];
    const [ours, least] = [
      computeBill(photon.requests, photon.replies, prices),
      billFloor(floor, prices),
    ];
    const shape = subject === modules ? ', as from outside' : '';
    const name = `${calls} calls${reading === 'again' ? ' that read almost the same lines' : shape}`;
    const goals = goal === '' ? '' : `goal ${goal} ¢`;
    row(`bill of ${name}`, `${ours.cents.toFixed(2)} ¢ (floor ${least.cents.toFixed(2)} ¢)`, goals);
    const thousands = (n: number) => `${(n / 1000).toFixed(1)} k`;
    row(
      '  input tokens, and of them cached',
      `${thousands(ours.inputTokens)}, ${thousands(ours.cachedTokens)} (floor ${thousands(least.inputTokens)})`,
      '',
    );
    row('  tokens of the replies', `${ours.outputTokens} (floor ${least.outputTokens})`, '');
    const shares = ours.keptShares.map(s => `${(100 * s).toFixed(0)} %`);
    row('  kept of request 1 by request 2', shares[0] ?? '', 'goal 100 %');
    const later = ours.keptShares.slice(1);
    row(
      '  kept by each from request 3 on, least',
      `${(100 * Math.min(...later)).toFixed(1)} % (${later.filter(s => s < 0.97).length} below 97 %)`,
      'goal 97 %',
    );
    if (calls !== 20) continue;
    row('fixed part: system prompt and tools', `${photon.fixedTokens} tokens`, 'goal 1700');
    const firsts = [photon, floor].map(c => tokensOf(c.requests[0] ?? []));
    row('first request', `${firsts[0]} tokens (floor ${(firsts[1] ?? 0) + fixedOfFloor})`, '');
    row(
      `round 1: activation, plan, listing of ${listPaths(subject).length} files`,
      `${addedTokens(photon, 0)} tokens (floor, listing alone: ${addedTokens(floor, 0)})`,
      '',
    );
    const results = photon.requests[1]?.slice(-3) ?? [];
    for (const [i, what] of ['activation', 'plan', 'listing'].entries())
      row(
        `  result of the ${what}`,
        `${tokensOf(results.slice(i, i + 1))} tokens`,
        what === 'listing' ? 'goal 1200' : '',
      );
    const reads = steps.flatMap((s, i) => (s.kind === 'read' && i > 0 ? [i] : []));
    row(
      'an added read of 40 lines, all in, average',
      `${average(reads.map(i => addedTokens(photon, i)))} tokens (floor ${average(reads.map(i => addedTokens(floor, i)))})`,
      'goal 400',
    );
    const greps = steps.flatMap((s, i) => (s.kind === 'grep' && i > 0 ? [i] : []));
    if (greps.length === 0) continue;
    row(
      'an added search, all in, average',
      `${average(greps.map(i => addedTokens(photon, i)))} tokens (floor ${average(greps.map(i => addedTokens(floor, i)))})`,
      '',
    );
  }
  await benchCompaction(prices);
}

/** Prints what leaving out superseded results does to the bill, by the price of cache reads. */
async function benchCompaction(prices: Prices): Promise<void> {
  const steps = makeSteps(parser, 60, 'again');
  // without a price of cache reads, nothing that is left out saves anything
  const all = await recordPhoton(parser, steps, { ...prices, cached: 0 });
  for (const share of [0.1, 0.05, 0.02]) {
    const at = { ...prices, cached: share * prices.input };
    const ours = await recordPhoton(parser, steps, at);
    const [least, whole] = [ours, all].map(c => computeBill(c.requests, c.replies, at).cents);
    row(
      `bill of it where a cache read costs ${100 * share} % of input`,
      `${least?.toFixed(2)} ¢ (nothing left out ${whole?.toFixed(2)} ¢)`,
      'never more',
    );
  }
}
