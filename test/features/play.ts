/** Plays the scenarios of the features on the real corridor; in two files, so that two processes share them. */
import type { Pickle } from '@cucumber/messages';
import { describe, expect, it } from 'vitest';
import { isXml } from '../harness.ts';
import { sample } from '../seed.ts';
import { type Feature, features, notInTags } from './scenarios.ts';
import { findStep } from './steps/index.ts';
import { World } from './world.ts';

/** One scenario of each feature, and of an outline one row; all of both in a complete run. */
function sampleScenarios({ title, pickles }: Feature): readonly Pickle[] {
  const scenarios = [...Map.groupBy(pickles, p => p.astNodeIds[0] ?? p.name).values()];
  return sample(title, scenarios, 1).flatMap(rows => sample(`${title} ${rows[0]?.name}`, rows, 1));
}

/** In tags, a reply of the others is refused before the guard: test/run/xml-replies.test.ts. */
const sayable = features
  .map(feature => ({
    title: feature.title,
    pickles: sampleScenarios(feature).filter(
      p => !(isXml && p.tags.some(t => notInTags.includes(t.name.slice(1)))),
    ),
  }))
  .filter(({ pickles }) => pickles.length > 0);

/** Every second feature, from the first or from the second one on. */
export function playFeatures(half: 0 | 1): void {
  const mine = sayable.filter((_, i) => i % 2 === half);
  describe.each(mine)('$title', ({ pickles }) => {
    it.each(pickles.map((p, i) => [`${p.name} (${i + 1})`, p] as const))('%s', (_name, pickle) =>
      play(pickle),
    );
  });
}

async function play(pickle: Pickle): Promise<void> {
  const world = new World();
  try {
    for (const { text, argument } of pickle.steps) {
      const { run, args } = findStep(text);
      await run(world, ...args, ...extraOf(argument));
    }
  } finally {
    expect(await world.close()).toEqual([]);
  }
}

function extraOf(argument: Pickle['steps'][number]['argument']): unknown[] {
  if (argument?.dataTable !== undefined)
    return [argument.dataTable.rows.map(row => row.cells.map(cell => cell.value))];
  return argument?.docString === undefined ? [] : [argument.docString.content];
}
