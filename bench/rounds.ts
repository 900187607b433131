/** Measures the time from an answer of the model to the next request, by kind of call, beside a bare loop. */
import { join } from 'node:path';
import { withConfig } from '../test/doubles/config.ts';
import { startGitHub } from '../test/doubles/github.ts';
import { type ScriptedTurn, startModel } from '../test/doubles/model.ts';
import { begin, sampleFiles, sampleTask } from '../test/doubles/sample.ts';
import { discard, makeFolder, runAction } from '../test/harness.ts';
import { median, row } from './figures.ts';

/** Rounds of each kind in one run. */
const repeats = 12;
const runs = 5;

const call = (name: string, args: object): ScriptedTurn => ({
  text: 'One call follows from what the last one showed. I make just that.',
  calls: [{ name, arguments: args }],
});
const search = (n: number) =>
  call('grep', { pattern: ['orderTotal', 'shipsFree', 'items', 'total', 'price', 'item'][n % 6] });
const readLines = (n: number) =>
  call('read_code_block', {
    requests: [{ file_path: 'src/price.js', start_line: 1 + (n % 5), end_line: 9 }],
  });
const edit = (n: number) =>
  call('apply_patch', {
    files: [
      {
        path: 'src/price.js',
        edits: [
          {
            start_line: 4,
            content: `  return Math.round(total * (1 - discountPercent / ${100 + n}));`,
          },
        ],
      },
    ],
  });
const stop = call('abstain', { reason: 'bench' });

/** One run reads, searches and edits in turn, as real ones do; the first of each kind counts by itself. */
const kinds = ['search', 'read', 'edit'] as const;
const script: readonly ScriptedTurn[] = [
  begin,
  ...Array.from({ length: repeats }, (_, n) => [search(n), readLines(n), edit(n)]).flat(),
  stop,
];

/** The milliseconds from each answer to the next request. */
async function gapsOfRun(workspace: string, github: Awaited<ReturnType<typeof startGitHub>>) {
  const asked: number[] = [];
  const answered: number[] = [];
  const model = await startModel((_body, i) => {
    asked.push(performance.now());
    queueMicrotask(() => answered.push(performance.now()));
    return script[i] ?? stop;
  });
  const inputs = { task: sampleTask, verify: 'none', 'max-rounds': '100' };
  const run = await runAction({
    github,
    modelUrl: model.url,
    workspace,
    inputs,
    started: () => {},
  });
  const bodies = model.requests.map(r => JSON.stringify(r.body));
  const refused = /(abstain|degrade) \w+/.exec(run.log)?.[0];
  if (run.outcome.status !== 'abstained' || refused !== undefined)
    throw new Error(`${run.outcome.code}: ${refused}`);
  await model.close();
  return { gaps: asked.slice(1).map((t, i) => t - (answered[i] ?? t)), bodies };
}

/** The same for a loop that posts these bodies and reads the answers, and does nothing else. */
async function gapsOfLoop(bodies: readonly string[]): Promise<readonly number[]> {
  const asked: number[] = [];
  const answered: number[] = [];
  const model = await startModel((_body, i) => {
    asked.push(performance.now());
    queueMicrotask(() => answered.push(performance.now()));
    return script[i] ?? stop;
  });
  const headers = { 'content-type': 'application/json' };
  for (const body of bodies)
    await (await fetch(`${model.url}/chat/completions`, { method: 'POST', headers, body })).text();
  await model.close();
  return asked.slice(1).map((t, i) => t - (answered[i] ?? t));
}

/** Prints a row for each kind of call: the median of all rounds and of the first ones, as ratios to the loop. */
export async function benchRounds(): Promise<void> {
  const github = await startGitHub({ seed: withConfig(sampleFiles) });
  const folder = makeFolder();
  try {
    const workspace = join(folder, 'checkout');
    github.clone(workspace);
    const all: (readonly number[])[] = [];
    const floors: number[] = [];
    for (let i = 0; i < runs; i++) {
      const { gaps, bodies } = await gapsOfRun(workspace, github);
      all.push(gaps);
      floors.push(median(await gapsOfLoop(bodies)));
    }
    const floor = median(floors);
    row('round trip of a bare loop', `${floor.toFixed(2)} ms`, '');
    const goals = { search: 15, read: 3, edit: 5 };
    for (const [k, kind] of kinds.entries()) {
      const later = all.flatMap(gaps =>
        Array.from({ length: repeats - 1 }, (_, n) => gaps[1 + 3 * (n + 1) + k] ?? 0),
      );
      const firsts = all.map(gaps => gaps[1 + k] ?? 0);
      const figures = `${median(later).toFixed(1)} ms (first ${median(firsts).toFixed(1)} ms)`;
      row(
        `${kind} to next request: ${(median(later) / floor).toFixed(1)} x the loop`,
        figures,
        `goal ${goals[kind]} ms`,
      );
    }
  } finally {
    await github.close();
    discard(folder);
  }
}
