/**
 * Breaks each enforced demand once, and expects the test that names it to fail (`npm run mutate:rules`).
 * Arguments are the ids, or beginnings of ids, of the demands to try; default: all. Each core works on a
 * copy of the tracked files, so the work tree stays as it is.
 */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../root.ts';
import { proofOf, type RuleMutant, ruleMutants } from './rule-mutants.ts';

type Verdict = 'caught' | 'survived' | 'not played';

const wanted = process.argv.slice(2);
const chosen = ruleMutants.filter(
  m => wanted.length === 0 || wanted.some(id => m.demand.startsWith(id)),
);

/** A copy of the tracked files that shares the installed packages. */
function copyTree(): string {
  const folder = mkdtempSync(join(tmpdir(), 'photon-mutants-'));
  const paths = execFileSync('git', ['-C', root, 'ls-files', '-z'], { encoding: 'utf8' });
  for (const path of paths.split('\0').filter(p => p !== '')) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
  execFileSync('cp', ['-al', join(root, 'node_modules'), folder]); // hard links: a build resolves symbolic ones
  return folder;
}

interface Played {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
}

function run(folder: string, argv: readonly string[]): Promise<number | undefined> {
  const child = spawn(process.execPath, argv, { cwd: folder, stdio: 'ignore' });
  return new Promise(resolve => child.on('close', resolve));
}

/** Builds `dist/` in a copy, without the bundler, and plays the tests of a name there; undefined when that cannot be done. */
async function play(folder: string, file: string, name: string): Promise<Played | undefined> {
  if ((await run(folder, ['.ci/build.ts', '--unbundled'])) !== 0) return undefined;
  const report = join(folder, 'mutant-report.json');
  rmSync(report, { force: true });
  const pattern = name.replace(/%[isj].*/, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const argv = [
    join('node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--mode',
    'complete',
    '--project',
    'whole',
    '--project',
    'fast',
    '--reporter=json',
    `--outputFile=${report}`,
    '-t',
    pattern,
    file,
  ];
  await run(folder, argv);
  try {
    return JSON.parse(readFileSync(report, 'utf8')) as Played;
  } catch {
    return undefined;
  }
}

async function judge(folder: string, mutant: RuleMutant): Promise<Verdict> {
  const path = join(folder, mutant.file);
  const source = readFileSync(path, 'utf8');
  const { file, name } = proofOf(mutant);
  writeFileSync(
    path,
    source.replace(mutant.find, () => mutant.replace),
  );
  try {
    const played = await play(folder, file, name);
    if (played === undefined || played.numPassedTests + played.numFailedTests === 0)
      return 'not played';
    return played.numFailedTests > 0 ? 'caught' : 'survived';
  } finally {
    writeFileSync(path, source);
  }
}

/** The same edit with the same proof is played once, for all the demands that it breaks. */
const waiting = [
  ...Map.groupBy(chosen, ({ file, find, replace, test }) =>
    JSON.stringify([file, find, replace, test]),
  ).values(),
];
const bad: string[] = [];
let caught = 0;

async function work(): Promise<void> {
  const folder = copyTree();
  try {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [first] = next;
      if (first === undefined) continue;
      const verdict = await judge(folder, first);
      const { file, name } = proofOf(first);
      const demands = next.map(m => m.demand);
      console.log(
        `${verdict.padEnd(10)} ${demands.join(', ').padEnd(6)} ${first.file}: ${name} (${file})`,
      );
      if (verdict === 'caught') caught += next.length;
      else bad.push(...demands);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await Promise.all(Array.from({ length: Math.min(availableParallelism(), chosen.length) }, work));
console.log(`${caught} of ${chosen.length} mutants caught.`);
if (bad.length > 0) {
  console.log(`Not caught: ${bad.join(', ')}. Repair the test that is named, or the demand.`);
  process.exitCode = 1;
}
