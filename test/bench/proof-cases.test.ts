/** The corpus of `npm run bench -- proof` is what it claims to be: each patch by the visible and by the hidden tests. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cases, commands, type Files, type ProofCase, standings } from '../../bench/proof/cases.ts';
import { makePatches } from '../../bench/repair/patches.ts';
import { readPrograms } from '../../bench/repair/programs.ts';
import { discard, makeFolder } from '../harness.ts';
import { has, needs } from '../programs.ts';
import { isAll, sample } from '../seed.ts';

const folder = makeFolder();
afterAll(() => discard(folder));

/** Whether the tests of these files pass. */
function passes({ name, language }: ProofCase, files: Files): boolean {
  const place = join(folder, name);
  rmSync(place, { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), text);
  }
  return spawnSync('sh', ['-c', commands[language]], { cwd: place }).status === 0;
}

describe('the corpus of patches', () => {
  it('has at least forty, of every standing, in two halves without a program in common', () => {
    expect(cases.length).toBeGreaterThanOrEqual(40);
    expect(new Set(cases.map(c => c.name)).size).toBe(cases.length);
    for (const standing of standings)
      for (const half of ['open', 'held'])
        expect(
          cases.some(c => c.standing === standing && c.half === half),
          standing,
        ).toBe(true);
    const program = ({ name, standing }: ProofCase) => name.slice(0, -standing.length - 1);
    const open = new Set(cases.filter(c => c.half === 'open').map(program));
    expect(cases.filter(c => c.half === 'held' && open.has(program(c)))).toEqual([]);
  });

  const judged = cases.filter(c => c.standing !== 'flaky');
  const some = isAll ? judged : sample('patches of the corpus', judged, 1);

  const isPython = ({ language }: ProofCase) => language === 'py';

  it.each(some.filter(c => !isPython(c)))('$name', expectStanding);
  it.runIf(has('python3')).each(some.filter(isPython))(`$name ${needs('python3')}`, expectStanding);

  const programs = readPrograms();
  it('are made of every program of the engine, too', async () => {
    const played = programs.filter(p => p.language === 'javascript' || has('python3'));
    for (const program of sample('patches of two faults', played, 1)) {
      const [wrong, right, ...others] = await makePatches(program);
      expect([wrong?.standing, right?.standing, others]).toEqual(['wrong', 'right', []]);
      expect(wrong?.base).toEqual(right?.base);
      for (const each of [wrong, right]) if (each !== undefined) expectStanding(each);
    }
  }, 600_000);

  function expectStanding(each: ProofCase): void {
    const { base, patch, hidden, standing } = each;
    expect(passes(each, base), 'the defect is seen').toBe(false);
    expect(passes(each, { ...base, ...patch }), 'the patch passes').toBe(true);
    const isRight = ['right', 'well-tested', 'too-large'].includes(standing);
    expect(passes(each, { ...base, ...patch, ...hidden }), 'the hidden tests').toBe(isRight);
  }
});
