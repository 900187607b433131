/** The finished patch judged by its content, whatever calls made it. */
import type { Policy } from '../agent/context/policy.ts';
import { PhotonError } from '../base/codes.ts';
import type { Ending, PatchedFile, Verification } from '../base/outcome.ts';
import { pathClasses, touchesTests } from '../ecosystems/tests/path-classes.ts';
import { findTrojanSource } from '../guard/content/trojan-source.ts';
import { namesPrograms } from '../guard/named-programs.ts';
import { isDeclaredDotFolder, lockFile, protectedMatcher } from '../guard/paths.ts';
import { findNewCredential } from '../guard/secrets/credential-shape.ts';
import { findSecret } from '../guard/secrets/secrets.ts';
import type { BranchMerge } from '../hosts/host.ts';
import { changeKind, type FileChange, isGenerated } from '../workspace/files/change.ts';
import { findUnresolved, hasMarks } from '../workspace/git/merge-text.ts';
import type { Session } from '../workspace/session/session.ts';
import { addedText, countLines } from '../workspace/text/diff.ts';
import { leftToPeople, listLockFiles } from './services/lock-files.ts';
import type { LoadedRun, Run } from './stages.ts';

/**
 * Refuses a patch with content that no call may make.
 * @throws PhotonError `PATH_PROTECTED`, `PATH_ESCAPE`, `SECRET_IN_PATCH`.
 */
export function checkFinalPatch(
  changes: readonly FileChange[],
  { policy, request: { environment } }: LoadedRun,
): void {
  const protectedBy = protectedMatcher(policy.constitution.protectedPaths);
  const holdsSecret = (text: string) => findSecret(text, environment.secrets);
  for (const change of changes) {
    const pattern = protectedBy(change.path);
    if (pattern !== undefined)
      throw new PhotonError('PATH_PROTECTED', `${change.path} is protected by ${pattern}.`);
    if (change.after !== undefined && !change.after.mode.startsWith('100'))
      throw new PhotonError('PATH_ESCAPE', `${change.path} is not a regular file.`);
    if (holdsSecret(addedText(change)) || holdsSecret(change.path))
      throw new PhotonError('SECRET_IN_PATCH', `${change.path} holds a secret of this run.`);
  }
}

/** A conflict that only people may resolve: in a protected or generated file, or a lock file that no tool makes anew. */
export function refuseMerge(
  merge: BranchMerge | undefined,
  { constitution, settings }: Pick<Policy, 'constitution' | 'settings'>,
): Ending | undefined {
  const protectedBy = protectedMatcher(constitution.protectedPaths);
  // what is made anew must be verified
  const locks = settings.require === 'none' ? [] : listLockFiles(merge);
  const isLeft = ({ path, before }: FileChange) =>
    locks.every(lock => lock.path !== path) && (lockFile.test(path) || isGenerated(before));
  const found = merge?.marked.find(file => protectedBy(file.path) !== undefined || isLeft(file));
  const why = 'the file is protected, generated, or a lock file that no tool makes anew';
  return found && leftToPeople(`The conflict in ${found.path} is left to people: ${why}.`);
}

/**
 * Refuses the patch of a merge that leaves a conflict, or changes more than the conflicts.
 * @throws PhotonError `BASE_CONFLICT`.
 */
export function checkResolution(
  changes: readonly FileChange[],
  { marked }: Pick<BranchMerge, 'marked'>,
): void {
  const [other] = changes.filter(({ path }) => marked.every(m => m.path !== path));
  if (other !== undefined)
    throw new PhotonError('BASE_CONFLICT', `${other.path} has no conflict, but was changed.`);
  const readText = (change: FileChange | undefined) =>
    Buffer.from(change?.after?.bytes ?? []).toString('latin1');
  const remade = listLockFiles({ marked });
  for (const conflict of marked) {
    const resolved = changes.find(({ path }) => path === conflict.path) ?? conflict;
    const text = readText(resolved);
    // a tool wrote the whole of a lock file, of which no line need stay
    const whole = remade.some(({ path }) => path === conflict.path) && !hasMarks(text);
    const problem = whole ? undefined : findUnresolved(readText(conflict), text);
    if (problem !== undefined)
      throw new PhotonError('BASE_CONFLICT', `The resolution of ${conflict.path} ${problem}.`);
  }
}

/**
 * Refuses a patch with a file whose stored form only git makes, or after which git would convert a file in another way.
 * @throws PhotonError `PATH_FILTERED`.
 */
export async function checkConversions(session: Session): Promise<void> {
  const [first] = await session.conversions(session.changes().map(({ path }) => path));
  if (first !== undefined)
    throw new PhotonError(
      'PATH_FILTERED',
      `Git stores ${first[0]} (${first[1]}) in a form that Photon cannot make.`,
    );
  const other = await session.otherwiseConverted();
  if (other !== undefined)
    throw new PhotonError(
      'PATH_FILTERED',
      `With the changed .gitattributes, git would store ${other} in a form that Photon cannot make.`,
    );
}

/** The files of a patch as it is now, with the reasons why a person should review some of them first. */
export function describeFiles({
  request: {
    task: { prompt, outputs = [] },
  },
  services,
  policy: { constitution, shipped },
  state: { verification },
}: Run): readonly PatchedFile[] {
  const isListed = protectedMatcher(constitution.flaggedPaths);
  const isFlagged = (path: string) =>
    isListed(path) ?? pathClasses['@manifests'].find(r => r.test(path))?.source;
  const isFlaggedOtherwise = protectedMatcher(
    constitution.flaggedPaths.filter(p => p !== anyDotName),
  );
  const isFlaggedPath = (path: string) =>
    isDeclaredDotFolder(path, outputs)
      ? (isFlaggedOtherwise(path) ?? isFlagged(path.split('/').at(-1) ?? ''))
      : isFlagged(path);
  const own = constitution.flaggedPaths.filter(p => !shipped.flaggedPaths.includes(p));
  const describePattern = (pattern = '') =>
    own.includes(pattern) ? flaggedHere : pattern && 'a file that steers builds, owners or tools';
  const aboutTests = /\b(tests?|specs?|snapshots?|fixtures?|coverage)\b/i.test(prompt);
  // without a verification, only paths tell what is a test
  const roles = new Map(verification?.testFiles?.map(f => [f.path, f]));
  return services.session.changes().map(change => {
    const role = roles.get(change.path) ?? (touchesTests(change) ? tests : undefined);
    const counts = countLines(change);
    const flag =
      findFlag(change, describePattern(isFlaggedPath(change.path))) ??
      flagOfRole(role, aboutTests || (verification !== undefined && addsOnly(change, counts)));
    return { path: change.path, change: changeKind(change), ...counts, flag };
  });
}

/** True for tests beside those of the base, which pass as they were: they loosen nothing. */
function addsOnly({ before }: FileChange, { added, removed }: ReturnType<typeof countLines>) {
  return before === undefined || (added > 0 && removed === 0);
}

type Role = NonNullable<Verification['testFiles']>[number];

const tests: Pick<Role, 'kind' | 'reason'> = { kind: 'tests', reason: 'tests' };

/** The pattern by which the constitution flags every file and folder that begins with a dot. */
const anyDotName = '**/.*';

const flaggedHere = 'a file that the rules or settings of the repository flag';

function findFlag(change: FileChange, flagged: string): string | undefined {
  const disguise = findDisguise(change);
  if (disguise !== undefined) return disguise;
  // a known secret ends the run; text in the form of a secret may be a fixture, which only a person can tell
  const before = Buffer.from(change.before?.bytes ?? []).toString('utf8');
  const credential = findNewCredential(addedText(change), before);
  if (credential !== undefined) return `what looks like ${credential}`;
  if (flagged !== '') return flagged;
  const after = Buffer.from(change.after?.bytes ?? []).toString('utf8');
  return namesPrograms(change.path, addedText(change), after)
    ? 'programs read it, and run what it names'
    : undefined;
}

function flagOfRole(role: Pick<Role, 'kind' | 'reason'> | undefined, isFine: boolean) {
  if (role === undefined) return undefined;
  if (role.kind === 'means') return role.reason;
  return isFine ? undefined : `${role.reason}, though the task is not about them`;
}

const prose = /\.(?:md|markdown|txt|rst|adoc|po)$/i;

/** Why the name of a new file, or an added line, may not be what it looks like. */
function findDisguise(change: FileChange): string | undefined {
  const { path, before, after } = change;
  const [inName] = before === undefined ? findTrojanSource(path) : [];
  if (inName !== undefined) return `in the name: ${inName}`;
  const around = Buffer.from(after?.bytes ?? []).toString('utf8');
  return findTrojanSource(addedText(change), { around, prose: prose.test(path) })[0];
}
