/** What a run of the tests shows of packages that are not installed, and a patch of versions that it did not run with. */
import { posix } from 'node:path';
import satisfies from 'semver/functions/satisfies.js';
import validRange from 'semver/ranges/valid.js';
import { PhotonError } from '../base/codes.ts';
import { asObject } from '../base/schema-issue.ts';
import { explainMissing, install } from '../ecosystems/commands/missing-packages.ts';
import { parseJsonObject } from '../ecosystems/shared/project-files.ts';
import { getStateText } from '../ecosystems/tests/test-role.ts';
import type { FileChange } from '../workspace/files/change.ts';
import { nothingPassed, type TestRun } from './judge/test-run.ts';

const maxText = 20_000;

/**
 * Ends a run whose tests fail without a patch because a package is missing: no edit of the code repairs that.
 * @throws PhotonError `TEST_COMMAND_UNRUNNABLE`.
 */
export function requirePackages(ran: TestRun, paths: readonly string[]): void {
  const { command, exitCode, limit, outputTail } = ran.run;
  if (limit !== null || !nothingPassed(ran)) return;
  const why = explainMissing(outputTail.slice(-maxText), paths);
  if (why === undefined) return;
  const found = `Without a patch, the test command "${command}" ended with exit status ${exitCode}, and no test passed. ${why}`;
  const other = paths.some(p => p.endsWith('.py')) ? ` ${otherPython}` : '';
  throw new PhotonError('TEST_COMMAND_UNRUNNABLE', found, { hint: `${install}${other}` });
}

const otherPython =
  'If an environment has them, start the tests in it: put it in front in test-command, as in ".venv/bin/python -m …" or "poetry run …".';

const groups = ['dependencies', 'devDependencies', 'optionalDependencies'];

/**
 * The dependencies whose range the patch changes in a package.json, and whose installed version is not in it: for each one
 * sentence. @param readInstalled text of a file of the checkout; undefined if it does not exist.
 */
export function findUnsatisfied(
  changes: readonly FileChange[],
  readInstalled: (path: string) => string | undefined,
): readonly string[] {
  return changes
    .filter(c => posix.basename(c.path) === 'package.json' && c.after !== undefined)
    .flatMap(({ path, before, after }) => {
      const was = readRanges(getStateText(before));
      return [...readRanges(getStateText(after))]
        .filter(([name, range]) => was.get(name) !== range && validRange(range) !== null)
        .flatMap(([name, range]) => {
          const version = findVersion(posix.dirname(path), name, readInstalled);
          if (version !== undefined && satisfies(version, range)) return [];
          const old = was.get(name);
          // what was not there for the old range is not needed here
          if (old !== undefined && version === undefined) return [];
          const has = version === undefined ? 'it is not installed' : `${version} is installed`;
          return [`${path} asks for ${name} ${range}, and ${has}`];
        });
    });
}

function readRanges(manifest: string): ReadonlyMap<string, string> {
  const data = parseJsonObject(manifest);
  const entries = groups.flatMap(group => Object.entries(asObject(data[group])));
  return new Map(entries.filter((e): e is [string, string] => typeof e[1] === 'string'));
}

/** The version of a package as Node finds it from a folder. */
function findVersion(
  folder: string,
  name: string,
  readInstalled: (path: string) => string | undefined,
): string | undefined {
  for (let at = folder; ; at = posix.dirname(at)) {
    const text = readInstalled(posix.join(at, 'node_modules', name, 'package.json'));
    const { version } = parseJsonObject(text ?? '');
    if (typeof version === 'string') return version;
    if (at === '.' || at === '/' || at === '') return undefined;
  }
}
