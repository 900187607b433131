/** The repair benchmark's data: each fault shows itself in the tests of its program, and the judge can tell it. */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  findPython,
  judgePatch,
  playTests,
  readRepository,
  runOracle,
  writeRepository,
} from '../../bench/repair/judge.ts';
import {
  halves,
  listCases,
  type Program,
  plantFault,
  type RepairCase,
  type Repository,
  readPrograms,
} from '../../bench/repair/programs.ts';
import { measureCase } from '../../bench/repair/run.ts';
import { detectAll } from '../../src/ecosystems/commands/detect.ts';
import { discard, makeFolder, root } from '../harness.ts';
import { filesOf } from '../layouts/layout.ts';
import { has, needs } from '../programs.ts';
import { playsVariants, sample } from '../seed.ts';

const programs = readPrograms();
const cases = listCases(programs);

const isPython = ({ language }: Program) => language === 'python';

/** Runs the suite of a repository by the command that Photon finds. @returns whether it passes. */
async function passes(repository: Repository): Promise<boolean> {
  const folder = makeFolder();
  try {
    writeRepository(folder, repository);
    const { chosen } = await detectAll(filesOf(repository));
    const python = has('python3') ? [dirname(findPython())] : [];
    const PATH = [dirname(process.execPath), ...python, process.env.PATH].join(':');
    const env = { PATH, HOME: folder, PYTHONDONTWRITEBYTECODE: '1' };
    const command = chosen?.command ?? 'false';
    return spawnSync('sh', ['-c', command], { cwd: folder, env }).status === 0;
  } finally {
    discard(folder);
  }
}

function find(id: string): RepairCase {
  const found = cases.find(c => c.id === id);
  if (found === undefined) throw new Error(`there is no ${id}`);
  return found;
}

describe('the programs of the repair benchmark', () => {
  it('are in both languages and all halves, with about a hundred faults', () => {
    for (const half of halves)
      for (const language of ['javascript', 'python'])
        expect(programs.filter(p => p.half === half && p.language === language)).not.toEqual([]);
    expect(cases.length).toBeGreaterThanOrEqual(80);
    expect(new Set(cases.map(c => c.fault.kind)).size).toBeGreaterThanOrEqual(10);
  });

  it('hold faults that change one line each, and no fault twice', () => {
    expect(new Set(cases.map(c => `${c.program.name} ${c.buggy[c.file]}`)).size).toBe(cases.length);
    for (const { program, fault } of cases)
      expect(plantFault(program.text, fault), program.name).not.toBe(program.text);
  });

  it('plant a fault only where the line holds the text', () => {
    const fault = { line: 2, kind: 'wrong variable', right: 'a + 1', wrong: '$&' };
    expect(plantFault('x\nreturn a + 1\n', fault)).toBe('x\nreturn $&\n');
    expect(() => plantFault('return a + 1\nx\n', fault)).toThrow(/does not hold/);
  });

  const played = sample('programs of the repair benchmark', programs, 2);
  it.each(played.filter(p => !isPython(p)))('$name', expectProgram, 600_000);
  const python = played.filter(isPython);
  it.runIf(has('python3')).each(python)(`$name ${needs('python3')}`, expectProgram, 600_000);

  async function expectProgram(program: Program): Promise<void> {
    expect(new Set(await playTests(program, program.text))).toEqual(new Set([true]));
    const oracle = await runOracle(program, program.text);
    expect(oracle.broken).toBeUndefined();
    expect(await runOracle(program, program.text)).toEqual(oracle);
    for (const fault of program.faults) {
      const buggy = plantFault(program.text, fault);
      // some of the tests fail, not all
      const seen = new Set(await playTests(program, buggy));
      expect(seen, `line ${fault.line}`).toEqual(new Set([true, false]));
      expect((await runOracle(program, buggy)).lines, `line ${fault.line}`).not.toEqual(
        oracle.lines,
      );
    }
  }

  it('are repositories whose tests fail with a fault and pass without it', async () => {
    const { buggy, fixed } = find('bank-round-1');
    expect([await passes(buggy), await passes(fixed)]).toEqual([false, true]);
  });

  it.runIf(has('python3'))(`are such repositories in Python ${needs('python3')}`, async () => {
    const { buggy, fixed } = find('week-day-1');
    expect([await passes(buggy), await passes(fixed)]).toEqual([false, true]);
  });

  it.runIf(playsVariants)(
    'are repaired by the built engine, of the tuning half with what it did',
    async () => {
      const measured = await measureCase(find('month-days-3'));
      expect(measured).toMatchObject({ half: 'tuning', end: 'repaired' });
      expect(measured.detail).not.toBe('');
    },
    600_000,
  );
});

describe('the judge of the repair benchmark', () => {
  const withProgram = (bug: RepairCase, from: string, to: string): Repository => {
    const text = bug.fixed[bug.file] ?? '';
    expect(text).toContain(from);
    return { ...bug.fixed, [bug.file]: text.replace(from, to) };
  };

  it('knows the true fix by its text, blanks at line ends and empty lines aside', async () => {
    const bug = find('heap-sort-1');
    expect(await judgePatch(bug, bug.fixed)).toEqual({ same: true, by: 'text' });
    const spaced = {
      ...bug.fixed,
      [bug.file]: bug.fixed[bug.file]?.replaceAll('\n', ' \n\n') ?? '',
    };
    expect(await judgePatch(bug, spaced)).toEqual({ same: true, by: 'text' });
  });

  it('knows another wording of a fix by its behaviour', async () => {
    const bug = find('heap-sort-1');
    const patched = withProgram(bug, 'child + 1 < end', 'child < end - 1');
    expect(await judgePatch(bug, patched)).toEqual({ same: true, by: 'behaviour' });
  });

  it.each([
    ['child + 1 < end', 'child + 2 < end', 'behaviour'],
    ['const list = [...values]', 'const list = values', 'behaviour'],
    ['child + 1 < end', 'child + < end', 'broken'],
  ])('turns down a patch that reads %s as %s', async (from, to, why) => {
    const bug = find('heap-sort-1');
    expect(await judgePatch(bug, withProgram(bug, from, to))).toMatchObject({ same: false, why });
  });

  it('turns down a patch of the tests', async () => {
    const bug = find('heap-sort-1');
    const patched = { ...bug.fixed, 'test/heap-sort.test.js': '' };
    expect(await judgePatch(bug, patched)).toMatchObject({ same: false, why: 'other-files' });
  });
});

describe('the sample repository of the demo', () => {
  const repository = readRepository(join(root, 'assets/demo'));

  it('has a test that fails, and a line that makes it pass', async () => {
    expect(await passes(repository)).toBe(false);
    const buggy = repository['src/tariff.js'] ?? '';
    const fixed = buggy.replace('Math.floor(minutes / 60)', 'Math.ceil(minutes / 60)');
    expect(await passes({ ...repository, 'src/tariff.js': fixed })).toBe(true);
  });

  it('is no program of the benchmark', () => {
    expect(cases.filter(c => c.fault.right.includes('Math.ceil'))).toEqual([]);
  });
});
