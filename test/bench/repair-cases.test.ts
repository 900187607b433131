/** The repair benchmark's data: each bug shows itself in its tests, and its judge can tell it. */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type RepairCase,
  type Repository,
  readCases,
  readRepository,
  splitHalves,
  topics,
} from '../../bench/repair/cases.ts';
import {
  findPython,
  judgePatch,
  type OracleRun,
  runOracle,
  writeRepository,
} from '../../bench/repair/judge.ts';
import { faultsOf } from '../../bench/repair/plant.ts';
import { detectAll } from '../../src/ecosystems/commands/detect.ts';
import { makeFolder, root } from '../harness.ts';
import { filesOf } from '../layouts/layout.ts';
import { has, needs } from '../programs.ts';
import { sample } from '../seed.ts';

const cases = [...readCases().values()];

/** Far above what a suite takes, also on a busy machine. */
const suiteLimitMs = 60_000;

/** A hang is a way to fail: such a suite is given time to report the tests before it. */
const hangLimitMs = 10_000;

interface Suite {
  readonly passed: number;
  readonly failed: number;
}

interface Seen {
  readonly fixed: Suite;
  readonly buggy: Suite;
  readonly fixedOracle: OracleRun;
  readonly again: OracleRun;
  readonly buggyOracle: OracleRun;
}

type Project = Pick<RepairCase, 'language' | 'hangs' | 'fixedRepository' | 'buggyRepository'>;

/** The shell line that the case's own files name. */
async function commandOf(bug: Project): Promise<string> {
  const config = bug.fixedRepository['.photon/config.json'];
  if (config !== undefined) return JSON.parse(config).verify.command;
  return JSON.parse(bug.fixedRepository['package.json'] ?? '').scripts.test;
}

/** Runs the project's suite; counts what it reported before its end or the limit. */
async function runSuite(bug: Project, repository: Repository): Promise<Suite> {
  const folder = makeFolder();
  try {
    writeRepository(folder, repository);
    const line = await commandOf(bug);
    const command =
      bug.language === 'javascript' ? `${line} --test-reporter=tap --test-isolation=none` : line;
    const limitMs = repository === bug.buggyRepository && bug.hangs ? hangLimitMs : suiteLimitMs;
    const { output, ended } = await shell(command, folder, limitMs);
    const count = (pattern: RegExp) => [...output.matchAll(pattern)].length;
    const found =
      bug.language === 'javascript'
        ? { passed: count(/^ok /gm), failed: count(/^not ok /gm) }
        : { passed: count(/ \.\.\. ok$/gm), failed: count(/ \.\.\. (FAIL|ERROR)$/gm) };
    return ended ? found : { ...found, failed: found.failed + 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function shell(
  command: string,
  cwd: string,
  limitMs: number,
): Promise<{ output: string; ended: boolean }> {
  const python = has('python3') ? [dirname(findPython())] : [];
  const PATH = [dirname(process.execPath), ...python, process.env.PATH].join(':');
  const env = { PATH, HOME: cwd, PYTHONDONTWRITEBYTECODE: '1', NO_COLOR: '1' };
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', command], { cwd, env, detached: true });
    let output = '';
    let ended = true;
    const timer = setTimeout(() => {
      ended = false;
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    }, limitMs);
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(timer);
      resolve({ output, ended });
    });
  });
}

async function look(bug: RepairCase): Promise<Seen> {
  return {
    fixed: await runSuite(bug, bug.fixedRepository),
    buggy: await runSuite(bug, bug.buggyRepository),
    fixedOracle: await runOracle(bug, bug.fixedRepository),
    again: await runOracle(bug, bug.fixedRepository),
    buggyOracle: await runOracle(bug, bug.buggyRepository, bug.hangs ? hangLimitMs : suiteLimitMs),
  };
}

const played = sample('cases', cases, 6);

const isPlayable = ({ language }: RepairCase) => language !== 'python' || has('python3');

const seen = new Map<string, Seen>();

beforeAll(async () => {
  const queue = played.filter(isPlayable);
  const work = async () => {
    for (let bug = queue.shift(); bug !== undefined; bug = queue.shift())
      seen.set(bug.name, await look(bug));
  };
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, work));
}, 600_000);

describe('the cases together', () => {
  const count = (test: (bug: RepairCase) => boolean) => cases.filter(test).length;

  it('are at least 64, about half of them in each language', () => {
    expect(cases.length).toBeGreaterThanOrEqual(64);
    for (const language of ['javascript', 'python'])
      expect(count(c => c.language === language)).toBeGreaterThanOrEqual(32);
  });

  it('cover every topic in both languages and both halves', () => {
    for (const topic of topics) {
      expect(
        count(c => c.topic === topic),
        topic,
      ).toBeGreaterThanOrEqual(4);
      for (const half of ['tuning', 'held-out'])
        for (const language of ['javascript', 'python'])
          expect(
            count(c => c.topic === topic && c.half === half && c.language === language),
            `${topic}, ${half}, ${language}`,
          ).toBeGreaterThan(0);
    }
  });

  it('are split by the rule and not by hand', () => {
    const written = cases.filter(c => c.half !== 'planted');
    const halves = splitHalves(written);
    expect(written.filter(c => c.half !== halves.get(c.name)).map(c => c.name)).toEqual([]);
    expect(
      Math.abs(count(c => c.half === 'tuning') - count(c => c.half === 'held-out')),
    ).toBeLessThan(2);
  });

  it('hold a set whose faults are among those of the rule', () => {
    const planted = cases.filter(c => c.half === 'planted');
    expect(planted.length).toBeGreaterThanOrEqual(30);
    for (const { name, file, fixedRepository, line, buggy, fixed, kind } of planted)
      expect(faultsOf(name, fixedRepository[file] ?? ''), name).toContainEqual({
        line,
        buggy,
        fixed,
        kind,
      });
  });

  it('hold many kinds of fault, and some that one edit can hardly repair', () => {
    expect(new Set(cases.map(c => c.kind)).size).toBeGreaterThanOrEqual(20);
    expect(count(c => c.hard !== null)).toBeGreaterThanOrEqual(6);
    expect(count(c => c.buggy === null)).toBeGreaterThan(0);
    expect(count(c => c.fixed === null)).toBeGreaterThan(0);
  });

  it('give no program twice', () => {
    expect(new Set(cases.map(c => c.fixedRepository[c.file])).size).toBe(cases.length);
  });
});

for (const bug of played) {
  const { name } = bug;
  const title = bug.language === 'python' ? `${name} ${needs('python3')}` : name;
  describe.runIf(isPlayable(bug))(title, () => itIsARepairCase(bug));
}

function itIsARepairCase(bug: RepairCase): void {
  const { name } = bug;
  it('differs from its fix in one line of one file', () => {
    const changed = Object.keys(bug.fixedRepository).filter(
      path => bug.fixedRepository[path] !== bug.buggyRepository[path],
    );
    expect(changed).toEqual([bug.file]);
    expect(bug.buggy).not.toBe(bug.fixed);
    const fixed = (bug.fixedRepository[bug.file] ?? '').split('\n');
    const buggy = (bug.buggyRepository[bug.file] ?? '').split('\n');
    const head = bug.line - 1;
    expect(buggy.slice(0, head)).toEqual(fixed.slice(0, head));
    const tail = fixed.length - head - (bug.fixed === null ? 0 : 1);
    expect(buggy.slice(buggy.length - tail)).toEqual(fixed.slice(fixed.length - tail));
    expect(buggy.length).toBe(head + tail + (bug.buggy === null ? 0 : 1));
  });

  it('has a test command that Photon finds', async () => {
    const { chosen: detected } = await detectAll(filesOf(bug.buggyRepository));
    expect(detected?.command).toMatch(
      bug.language === 'javascript' ? /^npm test$/ : /^python3 -m unittest/,
    );
    if (bug.language === 'python') expect(await commandOf(bug)).toContain('python3 -m unittest');
  });

  it('passes its tests when fixed, and fails some of them, not all, when not', () => {
    const { fixed, buggy } = seen.get(name)!;
    expect(fixed.failed).toBe(0);
    expect(fixed.passed).toBeGreaterThanOrEqual(6);
    expect(fixed.passed).toBeLessThanOrEqual(15);
    expect(buggy.failed).toBeGreaterThan(0);
    expect(buggy.passed).toBeGreaterThan(0);
    if (!bug.hangs) expect(buggy.passed + buggy.failed).toBe(fixed.passed);
  });

  it('has an oracle that always says the same and tells the bug from the fix', () => {
    const { fixedOracle, again, buggyOracle } = seen.get(name)!;
    expect(fixedOracle.broken).toBeUndefined();
    expect(fixedOracle.lines.length).toBeGreaterThanOrEqual(200);
    expect(fixedOracle.lines.some(line => line.includes('"value"'))).toBe(true);
    expect(again).toEqual(fixedOracle);
    expect(buggyOracle.lines).not.toEqual(fixedOracle.lines);
  });
}

describe('the sample repository of the demo', () => {
  const repository = readRepository(join(root, 'assets/demo'));
  const run = (files: Repository) =>
    runSuite(
      {
        language: 'javascript',
        hangs: false,
        fixedRepository: repository,
        buggyRepository: repository,
      },
      files,
    );

  it('has one test that fails, and a line that makes it pass', async () => {
    expect(await run(repository)).toEqual({ passed: 13, failed: 1 });
    const buggy = repository['src/tariff.js'] ?? '';
    const fixed = buggy.replace('Math.floor(minutes / 60)', 'Math.ceil(minutes / 60)');
    expect(await run({ ...repository, 'src/tariff.js': fixed })).toEqual({ passed: 14, failed: 0 });
  });

  it('is no case of the benchmark', () => {
    const lines = cases.map(c => c.fixed?.trim() ?? '');
    expect(lines.filter(line => line.includes('Math.ceil'))).toEqual([]);
  });
});

describe.runIf(has('python3'))(`the judge ${needs('python3')}`, () => {
  const find = (name: string) => cases.find(c => c.name === name)!;
  const withLine = (bug: RepairCase, from: string, to: string): Repository => {
    const program = bug.buggyRepository[bug.file] ?? '';
    expect(program).toContain(from);
    return { ...bug.buggyRepository, [bug.file]: program.replace(from, to) };
  };

  it('knows the true fix by its text, blanks at line ends and empty lines aside', async () => {
    const bug = find('heap-sort');
    expect(await judgePatch(bug, bug.fixedRepository)).toEqual({ same: true, by: 'text' });
    const fixed = bug.fixedRepository[bug.file]?.replaceAll('\n', ' \n\n') ?? '';
    const spaced = { ...bug.fixedRepository, [bug.file]: fixed };
    expect(await judgePatch(bug, spaced)).toEqual({ same: true, by: 'text' });
  });

  it.each([
    ['heap-sort', 'child + 1 <= end', 'child < end - 1'],
    ['counting-sort', '[0] * (high - low)', '[0] * (1 + high - low)'],
    ['fraction', 'b + d', 'd * b'],
    ['birthday-age', 'day > birthday_in(born, day.year)', 'not day < birthday_in(born, day.year)'],
  ])('knows another wording of the fix of %s by its behaviour', async (name, from, to) => {
    const bug = find(name);
    const verdict = await judgePatch(bug, withLine(bug, from, to));
    expect(verdict).toMatchObject({ same: true, by: 'behaviour' });
  });

  it.each([
    ['heap-sort', 'child + 1 <= end', 'child + 2 < end', 'behaviour'],
    ['counting-sort', 'counts[value - low] += 1', 'counts[value - low - 1] += 1', 'behaviour'],
    ['fraction', 'b + d', 'b ** d', 'behaviour'],
    ['fraction', 'b + d', 'b +', 'broken'],
    ['birthday-age', 'day >', 'day >=>', 'broken'],
    ['birthday-age', 'years - 1', 'len("x" * 10**10)', 'broken'],
  ])('turns down a patch of %s that reads %s as %s', async (name, from, to, why) => {
    const bug = find(name);
    const verdict = await judgePatch(bug, withLine(bug, from, to));
    expect(verdict).toMatchObject({ same: false, why });
  });

  it('turns down a patch that hangs, and leaves no process behind', async () => {
    const bug = find('number-search');
    const run = await runOracle(bug, bug.buggyRepository, 2_000);
    expect(run.broken).toBe('stopped: SIGKILL');
  });

  it('turns down a patch of the tests', async () => {
    const bug = find('fraction');
    const patched = { ...bug.fixedRepository, 'test/fraction.test.js': '' };
    const verdict = await judgePatch(bug, patched);
    expect(verdict).toEqual({ same: false, why: 'other-files', detail: 'test/fraction.test.js' });
  });
});
