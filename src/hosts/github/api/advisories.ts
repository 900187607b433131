/** Looks up versions of packages in GitHub's advisory database. GitHub compares them by the rules of each registry. */
import type { Advisory, PackageVersion } from '../../../base/findings.ts';
import type { PackageList } from '../../../ecosystems/shared/package-list.ts';
import type { GitHub } from './github.ts';

type PackageSource = PackageList['source'];

/** Most versions of one request, so that its address stays short, and most that are looked up. */
const [atOnce, maxVersions] = [50, 1_000];

/** Most advisories of one reply. */
const pageSize = 100;

/** Malware is listed on request only. */
const types = ['reviewed', 'malware'] as const;

/**
 * The advisories about these versions, as they are found: an error later takes none of them back.
 * @throws PhotonError `GITHUB_*`, or an error with the reason; the reason of the limit.
 */
export async function* findAdvisories(
  github: GitHub,
  versions: readonly PackageVersion[],
): AsyncGenerator<Advisory> {
  // the lists name registries as GitHub does
  const sources = new Set(versions.map(v => v.source as PackageSource));
  for (const source of sources) {
    const own = versions.slice(0, maxVersions).filter(v => v.source === source);
    for (let at = 0; at < own.length; at += atOnce)
      yield* await findOfSource(github, source, own.slice(at, at + atOnce));
  }
  if (versions.length > maxVersions)
    throw new Error(`the patch brings ${versions.length} versions, of at most ${maxVersions}`);
}

/** Where a reply is full, or names several of the versions or none, smaller parts are asked for. */
async function findOfSource(
  github: GitHub,
  source: PackageSource,
  versions: readonly PackageVersion[],
): Promise<readonly Advisory[]> {
  const listed = await list(github, source, versions);
  const [first] = versions;
  if (first !== undefined && versions.length === 1)
    return listed.map(each => describe(each, first));
  const named = listed.map(({ vulnerabilities }) =>
    versions.filter(({ name }) => vulnerabilities.some(v => isSame(v.package?.name, name))),
  );
  const isFull = listed.length >= pageSize || named.some(some => some.length === 0);
  if (!isFull && named.every(some => some.length === 1))
    return listed.flatMap((each, i) => (named[i] ?? []).map(version => describe(each, version)));
  const found: Advisory[] = [];
  for (const version of isFull ? versions : new Set(named.flat()))
    found.push(...(await findOfSource(github, source, [version])));
  return found;
}

type Listed = Awaited<ReturnType<typeof list>>[number];

async function list(
  { rest }: GitHub,
  ecosystem: PackageSource,
  versions: readonly PackageVersion[],
) {
  const affects = versions.map(({ name, version }) => `${name}@${version}`).join(',');
  const all = [];
  for (const type of types) {
    const query = { ecosystem, affects, type, is_withdrawn: false, per_page: pageSize };
    const { data } = await rest.securityAdvisories.listGlobalAdvisories(query);
    for (const { vulnerabilities, ...about } of data)
      all.push({ ...about, vulnerabilities: vulnerabilities ?? [] });
  }
  return all;
}

function describe(
  { ghsa_id: id, severity, type, vulnerabilities }: Listed,
  affected: PackageVersion,
): Advisory {
  const fixedIn = vulnerabilities
    .filter(v => isSame(v.package?.name, affected.name))
    .map(v => v.first_patched_version)
    .filter(version => typeof version === 'string');
  return { affected, id, severity, isMalware: type === 'malware', fixedIn: [...new Set(fixedIn)] };
}

/** Registries differ in whether capitals and the kind of dash count; GitHub judges what is asked for alone. */
function isSame(name: string | null | undefined, other: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[-_.]+/g, '-');
  return plain(name ?? '') === plain(other);
}
