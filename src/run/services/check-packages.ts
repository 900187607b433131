/** Looks up what a patch adds to the dependencies, before anybody is asked to review it. */
import { type Advisory, describeAdvisory, type PackageCheck } from '../../base/findings.ts';
import { findAddedPackages } from '../../ecosystems/commands/added-packages.ts';
import type { ReadyRun } from '../stages.ts';

/**
 * What is known of the versions that the patch of the session adds, looked up once for each patch, and kept in the state.
 * A database that cannot be asked ends no run. @throws the reason of the signal.
 */
export async function checkPackages(run: ReadyRun): Promise<PackageCheck | undefined> {
  const { state, services } = run;
  const patchDigest = services.session.patchDigest();
  if (state.packages?.patchDigest !== patchDigest)
    state.packages = { patchDigest, check: await lookUp(run) };
  return state.packages.check;
}

async function lookUp({
  request: { environment, scrub, limit },
  services,
}: ReadyRun): Promise<PackageCheck | undefined> {
  const versions = findAddedPackages(services.session.changes());
  const added = versions.length;
  if (added === 0) return undefined;
  const { findAdvisories, log } = environment;
  if (findAdvisories === undefined) return { added, advisories: [], unread: noDatabase };
  log(`Advisories: looking up ${added} new versions of packages.`);
  const advisories: Advisory[] = [];
  try {
    for await (const each of findAdvisories(versions)) advisories.push(each);
    return { added, advisories };
  } catch (error) {
    limit.signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    return { added, advisories, unread: scrub(reason).slice(0, 300) };
  }
}

const noDatabase = 'this run has no token of GitHub';

/** What a model hears of a verified patch whose packages have advisories. */
export function describePackages({ advisories }: PackageCheck): string {
  return [
    "GitHub's advisory database names versions that this patch brings:",
    ...advisories.slice(0, 20).map(each => `- ${describeAdvisory(each)}`),
    'Choose other versions and verify again. If the task needs these, call finish: people get a draft that names the advisories.',
  ].join('\n');
}
