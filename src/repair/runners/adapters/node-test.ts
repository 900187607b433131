/** Runs node:test with a reporter of its own, and candidates in a worker thread with a fresh module graph for each. */
import { parseJson } from '../../../base/schema-issue.ts';
import { type PlainCommand, shellLine } from '../../../ecosystems/commands/parse-command.ts';
import { type NodeCommand, parseNodeTest } from '../../../ecosystems/javascript/commands.ts';
import { agree } from '../agree.ts';
import type { RunnerWays } from '../best-runner.ts';
import { parseCase } from '../channel.ts';
import type { ColdRun } from '../cold.ts';
import { withoutCases } from '../obstacles.ts';
import { joinProgram, type RunnerContext } from '../runner-context.ts';
import type { CaseResult } from '../test-runner.ts';

const maxCandidates = 6000;
/** Time limit of a test that waits; the processor time of its process ends a loop. */
const waitMs = 10_000;

const threadParts = ['compared-values', 'tests', 'ran-ranges', 'lines', 'built-ins'];
const driverParts = ['placed-files', 'driver'];

/** The ways for such a command; undefined for another one. */
export function findNodeTest(
  { runner }: RunnerContext,
  plain: PlainCommand,
): RunnerWays | undefined {
  const command = parseNodeTest(plain.words);
  if (command === undefined) return undefined;
  const { flags, testFlags } = command;
  const reporter = Buffer.from(runner('node/reporter.mjs')).toString('base64');
  const hasTimeout = testFlags.some(flag => flag.startsWith('--test-timeout'));
  const reported = [
    '--test',
    `--test-reporter=data:text/javascript;base64,${reporter}`,
    hasTimeout ? undefined : `--test-timeout=${waitMs}`,
  ].filter(word => word !== undefined);
  const lineOf = (words: readonly string[]) =>
    shellLine({ ...plain, words: words.flatMap(w => (w === '--test' ? reported : w)) });
  const words = ['node', ...flags, '--test', ...testFlags, ...command.files];
  const join = (parts: readonly string[]) =>
    joinProgram(
      runner,
      parts.map(part => `node/${part}.cjs`),
    );
  return {
    cold: {
      name: 'node:test',
      line: lineOf(words),
      words,
      lineOf,
      read: async ({ output }) => parseLines(output),
    },
    warm: mayShare(command)
      ? {
          name: 'node:test, warm',
          argv: async () => ['node', '-e', join(driverParts)],
          open: { worker: join(threadParts), flags },
          listFiles,
          agrees: (real, cases, flaky) =>
            agree(withoutCases(real.cases, flaky), withoutCases(cases, flaky)),
          maxCandidates,
        }
      : undefined,
  };
}

/** Options that change how the cases run, not which. */
const sameCases = /^--test-(concurrency|isolation|force-exit)\b/;

const mayShare = ({ testFlags }: NodeCommand) =>
  testFlags.every(flag => !flag.startsWith('-') || sameCases.test(flag));

function parseLines(output: string): readonly CaseResult[] {
  return output.split('\n').flatMap(line => {
    const found = line.startsWith('photon-case ')
      ? parseCase(line.slice('photon-case '.length))
      : undefined;
    return found === undefined ? [] : [found as CaseResult];
  });
}

/** Test files, including those that never ended. */
function listFiles({ output, cases }: ColdRun): readonly string[] {
  const named = output.split('\n').flatMap(line => {
    const path = line.startsWith('photon-file ')
      ? parseJson(line.slice('photon-file '.length))
      : '';
    return typeof path === 'string' ? [path] : [];
  });
  return [...new Set([...cases.map(c => c.file), ...named])].filter(f => f !== '').sort();
}
