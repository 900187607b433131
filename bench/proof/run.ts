/**
 * Plays the corpus: a scripted model writes each patch, the built Action verifies and measures it, and what the pull
 * request would point at is compared with the standing of the patch.
 */
import { join } from 'node:path';
import { structuredPatch } from 'diff';
import type { SurvivingMutant } from '../../src/base/findings.ts';
import { isDelivered, type Outcome } from '../../src/base/outcome.ts';
import type { Config } from '../../src/settings/settings.ts';
import { withConfig } from '../../test/doubles/config.ts';
import { startGitHub } from '../../test/doubles/github.ts';
import { type Script, type ScriptedTurn, startModel } from '../../test/doubles/model.ts';
import { discard, makeFolder, runAction } from '../../test/harness.ts';
import { row } from '../figures.ts';
import { cases, commands, type ProofCase, type Standing, standings } from './cases.ts';

/** The edits that turn one text into another, each over at least one line of the first. */
export function editsOf(before: string, after: string) {
  const lines = after.split('\n');
  return structuredPatch('', '', before, after, '', '', { context: 0 }).hunks.map(hunk => {
    // an insertion replaces the line before it, too
    const isInsertion = hunk.oldLines === 0;
    const first = isInsertion ? hunk.newStart - 1 : hunk.newStart;
    const count = hunk.newLines + (isInsertion ? 1 : 0);
    return {
      start_line: hunk.oldStart,
      end_line: hunk.oldStart + Math.max(hunk.oldLines, 1) - 1,
      content: lines.slice(first - 1, first - 1 + count).join('\n'),
    };
  });
}

const call = (name: string, args: object) => ({ name, arguments: args });
const turn = (...calls: ReturnType<typeof call>[]): ScriptedTurn => ({
  text: 'This is the next step of the repair. It follows from the last one.',
  calls,
});

export function scriptOf({
  base,
  patch,
}: Pick<ProofCase, 'base' | 'patch'>): readonly ScriptedTurn[] {
  const paths = Object.keys(patch);
  return [
    turn(
      call('skill_activate', { skill_name: 'code-modify' }),
      call('plan', {
        entry_symbols: ['main'],
        affected_files: paths,
        scope: 'make the failing test pass',
        max_changed_lines: 60,
      }),
      call('list_project_files', {}),
    ),
    turn(
      call('read_code_block', {
        requests: paths.map(file_path => ({ file_path, start_line: 1, end_line: 60 })),
      }),
    ),
    turn(
      call('apply_patch', {
        files: paths.map(path => ({ path, edits: editsOf(base[path] ?? '', patch[path] ?? '') })),
      }),
    ),
    turn(call('verify', {})),
    turn(call('finish', { reason: 'the tests pass' })),
  ];
}

interface Finding {
  readonly name: string;
  readonly standing: Standing;
  /** What the pull request points at; empty if it points at nothing. */
  readonly signals: readonly string[];
  readonly proofMs: number;
  /** The small changes that no test noticed. */
  readonly survived: readonly SurvivingMutant[];
}

/** What a reader of the pull request would be shown as weak. */
function signalsOf({ status, code, verification, patch }: Outcome): readonly string[] {
  const proof = verification?.proof;
  const found: [string, boolean][] = [
    [`not delivered (${code})`, !isDelivered(status)],
    ['flagged file', patch.files.some(f => f.flag !== undefined)],
    ['warning', (verification?.warnings ?? []).length > 0],
    ['no proof', isDelivered(status) && proof === undefined],
    ['hunk not needed', (proof?.hunks.notNeeded.length ?? 0) > 0],
    ['small change not noticed', (proof?.mutants.survived.length ?? 0) > 0],
    ['line not run', (proof?.counts.unexecuted ?? 0) > 0],
    ['line not decided', (proof?.counts.executed ?? 0) > 0],
    ['flaky case', (proof?.flaky.length ?? 0) > 0],
    ['new test passes before', proof?.newTests.some(t => !t.failsOnBase) === true],
  ];
  return found.filter(([, holds]) => holds).map(([name]) => name);
}

/** The outcome of the built Action with a model that writes this patch, or another script. */
export async function playPatch(
  each: Pick<ProofCase, 'base' | 'patch' | 'language'>,
  config: Config = { verify: { budgetSeconds: 60 } },
  script: Script = scriptOf(each),
): Promise<Outcome> {
  const folder = makeFolder();
  const github = await startGitHub({ seed: withConfig(each.base, config) });
  const model = await startModel(script);
  try {
    const workspace = join(folder, 'checkout');
    github.clone(workspace);
    const { outcome } = await runAction({
      github,
      modelUrl: model.url,
      workspace,
      inputs: {
        task: 'A test of this repository fails. Make it pass.',
        'test-command': commands[each.language],
        staged: 'true',
      },
    });
    return outcome;
  } finally {
    await Promise.all([github.close(), model.close()]);
    discard(folder);
  }
}

async function play(each: ProofCase): Promise<Finding> {
  const outcome = await playPatch(each);
  const { durationMs: proofMs = 0, mutants } = outcome.verification?.proof ?? {};
  const { name, standing } = each;
  return {
    name,
    standing,
    signals: signalsOf(outcome),
    proofMs,
    survived: mutants?.survived ?? [],
  };
}

/** Which signals point at the weakness of a standing. */
const pointing: Readonly<Record<Standing, RegExp>> = {
  right: /./,
  'well-tested': /./,
  'too-large': /hunk not needed|line not run|line not decided/,
  wrong: /small change not noticed|line not decided|line not run|warning|not delivered/,
  weakened: /flagged file|warning|not delivered|new test/,
  flaky: /flaky case/,
};

/** `npm run bench -- proof [--held-out]`. */
export async function benchProof(args: readonly string[]): Promise<void> {
  const half = args.includes('--held-out') ? 'held' : 'open';
  const findings: Finding[] = [];
  for (const each of cases.filter(c => c.half === half)) {
    const found = await play(each);
    findings.push(found);
    for (const { before, after } of args.includes('--show') ? found.survived : [])
      row('', before, `► ${after}`);
    row(
      found.name,
      found.signals.join(', ') || 'nothing',
      `${(found.proofMs / 1000).toFixed(1)} s`,
    );
  }
  for (const standing of standings) {
    const own = findings.filter(f => f.standing === standing);
    const hit = own.filter(f => f.signals.some(s => pointing[standing].test(s)));
    const what = /right|well/.test(standing) ? 'called weak' : 'weakness pointed at';
    row(`${half}: ${standing}`, `${what}: ${hit.length} of ${own.length}`, '');
  }
}
