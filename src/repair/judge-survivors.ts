/** Judges the edits that pass all tests by how the program behaves with them. */
import type { RunnerAdapter } from '../testing/runners/test-runner.ts';
import { type Choice, type KnownSurvivor, rankSurvivors } from './choose.ts';
import { openComparer } from './differential.ts';
import { applyTextEdits } from './edit.ts';
import type { RepairContext } from './repair-context.ts';
import { type Rivals, tryRivals } from './rivals.ts';

/** The survivors, best first, and the small changes of the best. */
export interface SurvivorJudgement {
  readonly choices: readonly Choice[];
  readonly rivals: Rivals;
}

/** Most comparisons of each kind. A process for each candidate affords fewer. */
const maxCompared = 8;
const maxComparedCold = 2;

export interface JudgeOptions {
  readonly context: RepairContext;
  readonly adapter: RunnerAdapter;
  readonly survivors: readonly KnownSurvivor[];
  readonly textOf: ReadonlyMap<string, string>;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

/** Ranks the survivors, and finds calls for which the others, and small changes of the best, differ from the best. */
export async function judgeSurvivors(options: JudgeOptions): Promise<SurvivorJudgement> {
  const { context, adapter, survivors, textOf, deadline } = options;
  const max = adapter.further < maxRivalsOfCold ? maxComparedCold : maxCompared;
  const comparer = openComparer(context, adapter);
  const before = (c: Choice) => textOf.get(c.candidate.path) ?? '';
  const after = (c: Choice) => applyTextEdits(before(c), c.candidate.edits);
  const late = () => context.now() >= deadline;
  try {
    const plain = rankSurvivors(survivors, textOf);
    const seen: Choice[] = [];
    for (const choice of plain) {
      const skip = plain.length === 1 || seen.length >= max || late();
      const texts = { first: after(choice), second: before(choice) };
      const found = skip
        ? null
        : await comparer.compare({ path: choice.candidate.path, ...texts, calls: 'seen' });
      seen.push({ ...choice, changesPassing: found?.kind === 'differ' });
    }
    const ranked = rankSurvivors(seen, textOf);
    const [best, ...others] = ranked;
    if (best === undefined) return { choices: [], rivals: { tried: 0, passed: [] } };
    const choices: Choice[] = [best];
    for (const [i, other] of others.entries()) {
      const { path } = best.candidate;
      const skip = i >= max || path !== other.candidate.path || late();
      const texts = { first: after(best), second: after(other) };
      const found = skip ? null : await comparer.compare({ path, ...texts, calls: 'near' });
      choices.push(found === null ? other : { ...other, against: found });
    }
    const { candidate } = best;
    const rivals = await tryRivals({ context, adapter, candidate, text: before(best), deadline });
    const passed: Rivals['passed'][number][] = [];
    for (const [i, rival] of rivals.passed.entries()) {
      const texts = { first: after(best), second: rival.text };
      const skip = i >= max || late();
      const found = skip
        ? null
        : await comparer.compare({ path: candidate.path, ...texts, calls: 'near' });
      passed.push(found === null ? rival : { ...rival, against: found });
    }
    return { choices, rivals: { tried: rivals.tried, passed } };
  } finally {
    comparer.close();
  }
}

const maxRivalsOfCold = 60;
