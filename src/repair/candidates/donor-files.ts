/** Reads the files of a project whose parts an edit may reuse: the nearest first, within bounds. */

import { languageAdapterOf } from '../languages/index.ts';
import type { RepairContext } from '../runners/repair-context.ts';
import { type Donors, donorsOf, joinDonors } from './donors.ts';

const maxFiles = 40;
const maxChars = 300_000;

/** Opens the donors of a project: for a path, those of the other files in its language. Files are parsed once. */
export function openDonors(context: RepairContext): (path: string) => Promise<Donors> {
  const known = new Map<string, Promise<Donors | null>>();
  const read = async (path: string) => {
    const language = languageAdapterOf(path);
    const text = language === null ? null : await context.text(path);
    if (language === null || text === null) return null;
    return context.withTree(path, text, root => donorsOf(root, language));
  };
  return async path => {
    const language = languageAdapterOf(path);
    const near = (await context.files())
      .filter(p => p !== path && languageAdapterOf(p) === language && context.mayChange(p))
      .map(p => ({ p, distance: distanceOf(path, p) }))
      .sort((a, b) => a.distance - b.distance || (a.p < b.p ? -1 : 1))
      .slice(0, maxFiles);
    const found: Donors[] = [];
    let left = maxChars;
    for (const { p } of near) {
      left -= (await context.text(p))?.length ?? 0;
      if (left < 0) break;
      const donors = known.get(p) ?? read(p);
      known.set(p, donors);
      const made = await donors;
      if (made !== null) found.push(made);
    }
    return joinDonors(found);
  };
}

/** Number of folders between two paths. */
function distanceOf(one: string, other: string): number {
  const [a, b] = [one.split('/'), other.split('/')];
  const common = a.findIndex((part, i) => part !== b[i]);
  return a.length + b.length - 2 * (common < 0 ? a.length : common);
}
