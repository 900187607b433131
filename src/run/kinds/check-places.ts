/** The places that an answer names, checked against the files of the run. */
import { findPlaces } from '../../base/findings.ts';
import type { Ending } from '../../base/outcome.ts';
import { normalisePath } from '../../guard/paths.ts';
import type { Session } from '../../workspace/session/session.ts';

/** The ending with the places of its answer: does each of them exist at the commit of the run? */
export async function withPlaces(
  ending: Ending,
  session: Pick<Session, 'plainText'>,
): Promise<Ending> {
  const named = findPlaces(ending.answer ?? '');
  if (named.length === 0) return ending;
  const places = [];
  for (const place of named) {
    const text =
      normalisePath(place.path) === place.path ? await session.plainText(place.path) : undefined;
    const count = text === undefined ? 0 : text.replace(/\n$/, '').split('\n').length;
    const exists = place.start >= 1 && place.start <= place.end && place.end <= count;
    places.push({ ...place, exists });
  }
  return { ...ending, places };
}
