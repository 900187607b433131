/**
 * Makes patches of known standing for the second look: the repository has one fault, a wrong patch repairs it and brings
 * another fault of the program, and a right patch repairs it alone. The tests that see the other fault are hidden.
 */
import type { ProofCase } from '../proof/cases.ts';
import { playTests } from './judge.ts';
import { type Fault, listCases, type Program, plantFault } from './programs.ts';

/** A suite of one test would tell a reviewer that the others were taken out. */
const fewestTests = 2;

/** A pair of faults of a program, by their numbers from 0: what the repository has, and what the wrong patch brings. */
interface Pair {
  readonly own: number;
  readonly other: number;
}

/** All pairs, the nearest lines first. What goes missing comes late, because the diff shows it at once. */
function listPairs({ faults }: Program): readonly Pair[] {
  const cost = (own: Fault, other: Fault) =>
    Math.abs(own.line - other.line) + (/^missing /.test(other.kind) ? 20 : 0);
  return faults
    .flatMap((a, own) => faults.map((b, other) => ({ own, other, cost: cost(a, b) })))
    .filter(pair => pair.own !== pair.other)
    .sort((a, b) => a.cost - b.cost);
}

/** The patches of a program: a wrong one, and a right one. @throws Error if no two of its faults make one. */
export async function makePatches(program: Program): Promise<readonly ProofCase[]> {
  const { name, text, half, tests, faults } = program;
  const planted = faults.map(fault => plantFault(text, fault));
  const results = new Map<number, readonly boolean[]>();
  const play = async (at: number) => {
    const passed = results.get(at) ?? (await playTests(program, planted[at] ?? text));
    results.set(at, passed);
    return passed;
  };
  for (const { own, other } of listPairs(program)) {
    const [before, after] = [await play(own), await play(other)];
    const visible = tests.filter((_, i) => after[i]);
    const isSeen = tests.some((_, i) => after[i] && !before[i]);
    if (visible.length < fewestTests || !isSeen) continue;
    const [all, some] = [program, { ...program, tests: visible }].map(p => listCases([p])[own]);
    if (all === undefined || some === undefined) break;
    const make = (standing: 'wrong' | 'right', patch: string): ProofCase => ({
      name: `${name}-${own + 1}-${other + 1}-${standing}`,
      standing,
      half: half === 'held-out' ? 'held' : 'open',
      language: program.language === 'python' ? 'py' : 'js',
      base: layOut(some.buggy),
      patch: { [some.file]: patch },
      hidden: layOut({ ...all.fixed, [all.file]: patch }),
    });
    return [make('wrong', planted[other] ?? text), make('right', text)];
  }
  throw new Error(`${name} has no two faults of which its tests see one alone`);
}

/** Files as the command of a proof case finds them: `unittest` looks into packages only. */
function layOut({ '.photon/config.json': config, ...files }: ProofCase['base']): ProofCase['base'] {
  return config === undefined ? files : { ...files, 'tests/__init__.py': '' };
}
