/** Plants the faults of the third set by a rule: `node bench/repair/plant.ts` writes `bug.json` of each case in `planted/`. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mulberry32 } from '../../test/seed.ts';
import {
  type Bug,
  plantBug,
  type RepairCase,
  type Repository,
  readRepository,
  type topics,
} from './cases.ts';
import { findPython, runOracle, writeRepository } from './judge.ts';

/** A class of faults: the other versions of a line, undefined for none at all. */
interface Fault {
  readonly kind: string;
  readonly versions: (line: string, names: readonly string[]) => readonly (string | undefined)[];
}

/** The line with each match of a pattern replaced, one at a time. */
function each(
  line: string,
  pattern: RegExp,
  others: (match: RegExpExecArray) => readonly string[],
): readonly string[] {
  return [...line.matchAll(new RegExp(pattern, 'g'))].flatMap(match =>
    others(match).map(
      text => line.slice(0, match.index) + text + line.slice(match.index + match[0].length),
    ),
  );
}

const families = (lists: readonly string[]) => (match: RegExpExecArray) =>
  lists
    .map(list => list.split(' '))
    .filter(list => list.includes(match[0]))
    .flatMap(list => list.filter(one => one !== match[0]));

const pairs = families([
  'min max',
  'floor ceil round',
  'some every',
  'any all',
  'startsWith endsWith',
  'toUpperCase toLowerCase',
  'upper lower',
  'push unshift',
  'break continue',
  'true false',
  'True False',
]);

/** The parts of `a && b`, each alone. */
const operandsOf = (line: string) => [
  ...each(line, /[\w.()[\]!=<> ']+? (&&|\|\||and|or) (?=\w|!)/, () => [' ']),
  ...each(line, / (&&|\|\||and|or) [\w.()[\]!=<>' -]+?(?=\)? [{r]|\)$|;|:$)/, () => ['']),
];

const faults: readonly Fault[] = [
  {
    kind: 'wrong comparison operator',
    versions: line =>
      each(
        line,
        /(?<= )(<=|>=|<|>|===|!==|==|!=)(?= )/,
        families(['< <= > >=', '=== !==', '== !=']),
      ),
  },
  {
    kind: 'wrong arithmetic operator',
    versions: line =>
      each(line, /(?<=[\w)\]] )(\+|-|\*|\/|%|\/\/)(?= [\w(])/, families(['+ - * / %', '// *'])),
  },
  {
    kind: 'off by one',
    versions: line =>
      each(line, /(?<![\w.])\d+(?![\w.])/, ([n]) => [String(Number(n) + 1), String(Number(n) - 1)]),
  },
  {
    kind: 'wrong boolean operator',
    versions: line => each(line, /&&|\|\||\band\b|\bor\b/, families(['&& ||', 'and or'])),
  },
  {
    kind: 'wrong negation',
    versions: line => [
      ...each(line, /\bif \((.*?)\)(?= \w|;| \{)/, ([, c]) => [`if (!(${c}))`]),
      ...each(line, /\b(if|while) ([^()]+):$/, ([, word, c]) => [`${word} not (${c}):`]),
      ...each(line, /!(?=[\w(])|\bnot /, () => ['']),
    ],
  },
  {
    kind: 'wrong variable',
    versions: (line, names) =>
      each(line, /(?<![\w.'"])[a-z]\w*(?!\w|['"]|\(|:| =(?!=))/, ([name]) =>
        names.includes(name) ? names.filter(other => other !== name) : [],
      ),
  },
  {
    kind: 'missing call',
    versions: line => [
      ...each(line, /\b[\w.]+\(([\w.[\]]+)\)/, ([, inside = '']) => [inside]),
      ...each(line, /\.\w+\(\)/, () => ['']),
    ],
  },
  {
    kind: 'swapped arguments',
    versions: line =>
      /\b(def|function)\b/.test(line)
        ? []
        : each(line, /(?<=\w)\(([\w.[\]]+), ([\w.[\]]+)\)/, ([, a, b]) => [`(${b}, ${a})`]),
  },
  { kind: 'wrong function or word', versions: line => each(line, /\b[a-zA-Z]+\b/, pairs) },
  {
    kind: 'missing statement',
    versions: line =>
      /^\s+(?!return|def |const |for |while |if .*[{:]$)\w.*[;)\w]$/.test(line) ? [undefined] : [],
  },
  { kind: 'missing operand', versions: operandsOf },
];

/** An order that depends on the name of the case and on what is ordered only. */
function shuffled<T>(list: readonly T[], key: string): readonly T[] {
  const random = mulberry32(createHash('sha256').update(key).digest().readUInt32LE());
  return list
    .map(item => [random(), item] as const)
    .sort((a, b) => a[0] - b[0])
    .map(([, item]) => item);
}

/** The lines of code, without comments, declarations of modules and texts of several lines. */
function codeLines(program: string): readonly number[] {
  let isText = false;
  return program.split('\n').flatMap((line, i) => {
    const quotes = line.split('"""').length - 1;
    const wasText = isText;
    if (quotes % 2 === 1) isText = !isText;
    const isCode =
      !wasText && quotes === 0 && !/^\s*(\/\/|\/?\*|#|import |from |export const|$)/.test(line);
    return isCode ? [i] : [];
  });
}

/** The names of variables of the function around a line. */
function namesAt(lines: readonly string[], at: number): readonly string[] {
  const starts = (line: string) => /^(export )?(async )?(function|def|class) |^ {4}def /.test(line);
  let first = at;
  while (first > 0 && !starts(lines[first] ?? '')) first -= 1;
  let last = at + 1;
  while (last < lines.length && !starts(lines[last] ?? '')) last += 1;
  const text = lines.slice(first, last).join('\n');
  const header = /\(([^)]*)\)/.exec(lines[first] ?? '')?.[1] ?? '';
  const bound = [
    ...header.matchAll(/[a-z]\w*/g),
    ...[...text.matchAll(/(?:(?:const|let|for)\s+[[{(]?([\w, ]+)|^\s+([\w, ]+) =(?!=))/gm)].flatMap(
      m => [...(m[1] ?? m[2] ?? '').matchAll(/[a-z]\w*/g)],
    ),
  ].map(m => m[0]);
  return [...new Set(bound)].filter(n => !/^(self|of|in|let|const|null|undefined)$/.test(n)).sort();
}

type Planted = Pick<Bug, 'line' | 'buggy' | 'fixed' | 'kind'>;

/** Every fault of a program, in the order of the rule: first a class, then a place and a version. */
export function faultsOf(name: string, program: string): readonly Planted[] {
  const lines = program.split('\n');
  const places = codeLines(program);
  return shuffled(faults, `${name} class`).flatMap(({ kind, versions }) => {
    const all = places.flatMap(i =>
      versions(lines[i] ?? '', namesAt(lines, i)).map(buggy => ({
        line: i + 1,
        buggy: buggy ?? null,
        fixed: lines[i] ?? '',
        kind,
      })),
    );
    return shuffled(
      all.filter(f => f.buggy !== f.fixed && f.buggy?.trim() !== ''),
      `${name} ${kind}`,
    );
  });
}

interface Suite {
  readonly passed: number;
  readonly failed: number;
  readonly ended: boolean;
}

const limitMs = 10_000;

/** Runs a suite and counts its cases. */
function runSuite(language: Bug['language'], repository: Repository): Promise<Suite> {
  const folder = mkdtempSync(join(tmpdir(), 'photon-plant-'));
  writeRepository(folder, repository);
  const [command, args] =
    language === 'python'
      ? [findPython(), ['-B', '-m', 'unittest', 'discover', '-s', 'tests', '-v']]
      : [process.execPath, ['--test', '--test-reporter=tap', '--test-isolation=none']];
  return new Promise(resolve => {
    const child = spawn(command, args, { cwd: folder, timeout: limitMs, killSignal: 'SIGKILL' });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(0, 1_000_000);
      });
    child.on('close', (_, signal) => {
      rmSync(folder, { recursive: true, force: true });
      const count = (pattern: RegExp) => [...output.matchAll(pattern)].length;
      const [passed, failed] =
        language === 'python'
          ? [count(/ \.\.\. ok$/gm), count(/ \.\.\. (FAIL|ERROR)$/gm)]
          : [count(/^ok /gm), count(/^not ok /gm)];
      resolve({ passed, failed, ended: signal === null });
    });
  });
}

/**
 * The first fault of the rule that at least one test shows, that at least one test does not, and that the oracle can
 * tell. A program that does not load, or that never ends, is left out.
 */
async function plant(at: string, about: Pick<Bug, 'name' | 'topic'>): Promise<Bug> {
  const fixedRepository = readRepository(join(at, 'repository'));
  const language = 'package.json' in fixedRepository ? 'javascript' : 'python';
  const isProgram = (path: string) =>
    language === 'python' ? /^[^/]+\.py$/.test(path) : path.startsWith('src/');
  const file = Object.keys(fixedRepository).find(isProgram) ?? '';
  const oracle = join(at, language === 'python' ? 'oracle.py' : 'oracle.mjs');
  const common = { ...about, language, file, hard: null, hangs: false, half: 'planted' } as const;
  const program = fixedRepository[file] ?? '';
  const whole = await runSuite(language, fixedRepository);
  if (whole.failed > 0 || whole.passed < 6)
    throw new Error(`${about.name}: ${JSON.stringify(whole)}`);
  for (const fault of faultsOf(about.name, program)) {
    const note = `Planted by rule: ${fault.kind}.`;
    const bug: Bug = { ...common, ...fault, note };
    const buggyRepository = { ...fixedRepository, [file]: plantBug(program, bug) };
    const seen = await runSuite(language, buggyRepository);
    if (!seen.ended || seen.failed === 0 || seen.passed === 0) continue;
    if (seen.failed + seen.passed !== whole.passed) continue;
    const planted: RepairCase = { ...bug, oracle, fixedRepository, buggyRepository };
    const [expected, actual] = [
      await runOracle(planted, fixedRepository),
      await runOracle(planted, buggyRepository, limitMs),
    ];
    if (expected.broken !== undefined) throw new Error(`${about.name}: ${expected.broken}`);
    if (actual.broken === undefined && actual.lines.join() !== expected.lines.join()) return bug;
  }
  throw new Error(`${about.name}: no fault fits`);
}

if (import.meta.main) {
  const folder = join(import.meta.dirname, 'planted');
  for (const name of readdirSync(folder).sort()) {
    const at = join(folder, name, 'bug.json');
    const { topic } = JSON.parse(readFileSync(at, 'utf8')) as { topic: (typeof topics)[number] };
    const bug = await plant(join(folder, name), { name, topic });
    writeFileSync(at, `${JSON.stringify(bug, null, 2)}\n`);
    process.stdout.write(`${name.padEnd(18)} ${bug.kind}\n`);
  }
}
