/** The door of the terminal: the same engine, a patch file or the work tree instead of GitHub. */
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { compareRuns } from './agent/compare-runs.ts';
import { loadLaw, loadSettings } from './agent/law.ts';
import { parseRecord, replayedModel } from './agent/record.ts';
import type { RunInput, RunLog } from './agent/run-input.ts';
import { type Code, codes, PhotonError } from './codes.ts';
import { parseConstitution } from './guard/constitution.ts';
import { exitStatus } from './outcome.ts';
import { renderAudit } from './report/audit-text.ts';
import { renderLaw } from './report/law-text.ts';
import { renderMachine } from './report/machine-text.ts';
import { renderReplay } from './report/replay-text.ts';
import { renderRun } from './report/run-text.ts';
import { renderSession } from './report/session-text.ts';
import { usage } from './report/usage.ts';
import { type RunResult, runPhoton } from './run.ts';
import { commitSession } from './session/commit-session.ts';
import { renderDiff } from './session/diff.ts';
import { makeOutFolder, writeNewFile } from './session/run-folder.ts';
import { openShipped } from './session/shipped.ts';
import { readStoredSession } from './session/store.ts';
import { openFolderFiles } from './session/trusted-files.ts';
import { type InputName, type InputRecord, inputs } from './settings.ts';

const root = dirname(dirname(dirname(realpathSync(process.argv[1] ?? ''))));

const commands: Readonly<Record<string, (args: string[]) => Promise<number>>> = {
  run,
  validate,
  doctor,
  replay,
  audit,
  session,
  demo,
  codes: tellCodes,
};

async function main(args: string[]): Promise<number> {
  const [name = '--help', ...rest] = args;
  if (name === '--help' || name === '-h' || name === 'help' || rest.includes('--help'))
    return print(usage);
  if (name === '--version') return print(`${openShipped(root).version}\n`);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined)
    throw new PhotonError('USAGE', `There is no command ${JSON.stringify(name)}.`);
  return command(rest);
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

interface Parsed {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
}

function parse(args: string[], names: readonly string[], flags: readonly string[]): Parsed {
  const options = Object.fromEntries([
    ...names.map(n => [n, { type: 'string' as const }]),
    ...flags.map(n => [n, { type: 'boolean' as const }]),
  ]);
  try {
    return parseArgs({ args, options, allowPositionals: true }) as Parsed;
  } catch (error) {
    throw new PhotonError('USAGE', (error as Error).message);
  }
}

async function run(args: string[]): Promise<number> {
  const names = Object.keys(inputs) as InputName[];
  const { values, positionals } = parse(
    args,
    ['repo', 'out', ...names.filter(n => n !== 'dry-run')],
    ['apply', 'dry-run'],
  );
  if (positionals.length > 0)
    throw new PhotonError(
      'USAGE',
      `What is ${JSON.stringify(positionals[0])}? The task goes behind --task.`,
    );
  const env = process.env;
  const given: InputRecord = {
    'api-key': env.PHOTON_API_KEY ?? '',
    'base-url': env.PHOTON_BASE_URL ?? '',
    model: env.PHOTON_MODEL ?? '',
    ...Object.fromEntries(
      names.flatMap(n => (values[n] === undefined ? [] : [[n, String(values[n])]])),
    ),
  };
  if (!given.task?.trim())
    throw new PhotonError('TASK_MISSING', 'Give the task: photon run --repo DIR --task TEXT.');
  const cancel = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => cancel.abort(new PhotonError('CANCELLED')));
  const repo = resolve(String(values.repo ?? '.'));
  const tempRoot = makeOutFolder(values.out === undefined ? null : resolve(String(values.out)));
  const results = await runPhoton({
    ...localInput(env, repo),
    inputs: given,
    tempRoot,
    delivery: values.apply === true ? 'apply' : 'patch',
    event: { name: 'local', payload: null, taskInput: given.task },
    signal: cancel.signal,
  });
  for (const result of results) tell(result);
  return Math.max(
    ...results.map(r => exitStatus(r.outcome.status, given['fail-on-abstain'] === 'true')),
  );
}

function localInput(
  env: NodeJS.ProcessEnv,
  repo: string,
): Omit<RunInput, 'inputs' | 'tempRoot' | 'delivery' | 'event' | 'signal'> {
  return {
    ...{
      repository: '',
      apiUrl: '',
      ref: '',
      sha: '',
      hosted: false,
      hidePaths: [],
      mutationSpacingMs: 1000,
    },
    actor: env.USER ?? '',
    workspace: repo,
    root,
    env,
    now: Date.now,
    log: openLog(),
  };
}

function openLog(): RunLog {
  let redact = (text: string) => text;
  const write = (text: string) => process.stderr.write(`${redact(text)}\n`);
  return {
    hide: how => {
      redact = how;
    },
    line: text => write(`  ${text}`),
    group: title => title !== '' && write(title),
  };
}

function tell({ outcome, diff, files }: RunResult): void {
  if (diff !== '') process.stdout.write(diff);
  process.stderr.write(renderRun(outcome, files));
}

/** Says what this machine can give; 1 when a wall of the sandbox is missing. */
async function doctor(args: string[]): Promise<number> {
  const { values } = parse(args, ['repo'], []);
  const { examineMachine } = await import('./session/doctor.ts');
  const report = await examineMachine(process.env, resolve(String(values.repo ?? '.')));
  print(renderMachine(report));
  return report.advice.length === 0 ? 0 : 1;
}

/** Checks what is in the work tree, before it is committed. */
async function validate(args: string[]): Promise<number> {
  const { values } = parse(args, ['repo', 'config', 'agent-profile'], []);
  const files = openFolderFiles(resolve(String(values.repo ?? '.')));
  const given = {
    config: String(values.config ?? ''),
    'agent-profile': String(values['agent-profile'] ?? ''),
  };
  const settings = await loadSettings(given, files);
  const law = await loadLaw(settings, files, openShipped(root));
  return print(renderLaw(law));
}

/** Judges a ledger; the head is the one given, or that of the outcome beside it. */
async function audit(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, ['head'], []);
  const [file] = positionals;
  if (file === undefined || positionals.length > 1)
    throw new PhotonError('USAGE', 'Give one ledger: photon audit FILE.');
  const text = readTextFile(file);
  if (text === null) throw new PhotonError('LEDGER_MISSING', `${file} cannot be read.`);
  const outcome = readTextFile(join(dirname(file), 'outcome.json'));
  const head = String(values.head ?? (outcome === null ? '' : headOf(outcome)));
  const { auditLedger } = await import('./agent/audit.ts');
  const shipped = parseConstitution(openShipped(root).constitution, 'constitution/photon.md');
  const report = auditLedger(text, { shipped, complete: true, ...(head === '' ? {} : { head }) });
  print(renderAudit(report, head));
  return report.finding === null ? 0 : 1;
}

/** Runs a recorded task again with the replies of its record, and tells the first difference. */
async function replay(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, ['repo', 'out'], []);
  const [file] = positionals;
  const ledger = file === undefined ? null : readTextFile(join(dirname(file), 'ledger.jsonl'));
  const text = file === undefined ? null : readTextFile(file);
  if (file === undefined || text === null || ledger === null)
    throw new PhotonError(
      'USAGE',
      'photon replay FILE: a replies.jsonl with its ledger.jsonl beside it.',
    );
  const record = parseRecord(text);
  const [only] = await runPhoton({
    ...localInput(process.env, resolve(String(values.repo ?? '.'))),
    inputs: { ...record.inputs, record: 'false' },
    tempRoot: makeOutFolder(values.out === undefined ? null : resolve(String(values.out))),
    ...{ delivery: 'patch', signal: new AbortController().signal },
    event: { name: 'local', payload: null, taskInput: record.task.prompt },
    replay: { task: record.task, model: replayedModel(record.turns) },
  });
  const again = only === undefined ? '' : (readTextFile(only.files.ledgerPath) ?? '');
  const difference = compareRuns(ledger, again);
  print(renderReplay(record, difference));
  return difference === null ? 0 : 1;
}

/** Looks at the session of a run, or writes its patch; the repository is not needed. */
async function session(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, ['out', 'repo', 'branch'], []);
  const [verb = '', file, ...more] = positionals;
  if (!['show', 'diff', 'export', 'commit'].includes(verb) || file === undefined || more.length > 0)
    throw new PhotonError('USAGE', 'photon session show|diff|export|commit FILE.');
  const stored = readStoredSession(file);
  if (verb === 'show') return print(renderSession(stored));
  if (verb === 'commit') {
    const place = { cwd: resolve(String(values.repo ?? '.')), searchPath: process.env.PATH ?? '' };
    const branch = String(values.branch ?? `photon/session-${stored.identity.run}`);
    const commit = await commitSession(stored, place, { branch, now: Date.now() });
    return print(`${branch}: commit ${commit} on ${stored.identity.commit}\n`);
  }
  const diff = renderDiff(stored.changes);
  if (verb === 'diff') return print(diff);
  const out = String(values.out ?? 'session.patch');
  writeNewFile(out, diff);
  return print(
    `${out}: ${stored.changes.length} files; git apply takes it on ${stored.identity.commit || 'its base'}\n`,
  );
}

function readTextFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** Hash that an outcome names; empty when it is no outcome. */
function headOf(outcome: string): string {
  try {
    const { ledger } = JSON.parse(outcome) as { ledger?: { head?: unknown } };
    return typeof ledger?.head === 'string' ? ledger.head : '';
  } catch {
    return '';
  }
}

/** The demonstration stands with the test doubles, so it needs a clone. */
async function demo(): Promise<number> {
  const path = join(root, 'test', 'demo.ts');
  const module = (await import(/* webpackIgnore: true */ pathToFileURL(path).href).catch(
    (cause: unknown) => {
      throw new PhotonError('DEMO_UNAVAILABLE', undefined, { cause });
    },
  )) as { runDemo: () => Promise<number> };
  return module.runDemo();
}

async function tellCodes(args: string[]): Promise<number> {
  const wanted = args[0]?.toUpperCase();
  const found = Object.entries(codes).filter(([code]) => wanted === undefined || code === wanted);
  if (found.length === 0) throw new PhotonError('USAGE', `There is no code ${args[0]}.`);
  return print(
    found.map(([code, c]) => `${code as Code}\n  ${c.meaning}\n  What to do: ${c.hint}\n`).join(''),
  );
}

main(process.argv.slice(2)).then(
  status => {
    process.exitCode = status;
  },
  (error: unknown) => {
    const known = error instanceof PhotonError;
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(
      `photon: ${known ? error.code : 'INTERNAL'}: ${message}\n${known ? `What to do: ${error.hint}\n` : ''}`,
    );
    process.exitCode = known && error.code === 'USAGE' ? 2 : 1;
  },
);
