/** Merges the constitution files of a repository into the shipped one; each may only tighten it. */
import { PhotonError } from '../codes.ts';
import {
  type Constitution,
  type FolderPolicy,
  parseFolderPolicy,
  policyFor,
  underFolderPolicy,
} from './constitution.ts';
import { lineOfKey } from './front-matter.ts';
import { withoutGeneratedSections } from './generated-sections.ts';

/** A `constitution.md` of the repository, as read from the trusted ref. */
export interface ConstitutionFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Merges the repository's files into the shipped constitution, outer folders first.
 * @throws PhotonError `CONSTITUTION_INVALID`, `CONSTITUTION_VERSION`, `CONSTITUTION_LOOSENED`.
 */
export async function resolveConstitution(
  shipped: Constitution,
  files: readonly ConstitutionFile[],
): Promise<Constitution> {
  const depth = (path: string) => path.split('/').length;
  const ordered = [...files].sort(
    (a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1),
  );
  let policy = shipped;
  for (const file of ordered) policy = await addFile(policy, file);
  return policy;
}

async function addFile(policy: Constitution, file: ConstitutionFile): Promise<Constitution> {
  const parsed = parseFolderPolicy(file.text, file.path);
  const own: FolderPolicy = { ...parsed, prose: await withoutGeneratedSections(parsed.prose) };
  refuseLoosening(policyFor(policy, [own.folder]), own, file);
  return own.folder === ''
    ? underFolderPolicy(policy, own)
    : { ...policy, folders: [...policy.folders, own] };
}

function refuseLoosening(above: Constitution, own: FolderPolicy, file: ConstitutionFile): void {
  const limits = Object.entries(own.limits).map(([key, value]) => ({
    key,
    value,
    bound: above.limits[key as keyof typeof above.limits],
    looser: value > above.limits[key as keyof typeof above.limits],
  }));
  const rules = Object.entries(own.rules).map(([key, value]) => ({
    key,
    value,
    bound: above.rules[key as keyof typeof above.rules],
    looser: value === 'abstain' && above.rules[key as keyof typeof above.rules] === 'violation',
  }));
  for (const { key, value, bound, looser } of [...limits, ...rules]) {
    if (!looser) continue;
    throw new PhotonError(
      'CONSTITUTION_LOOSENED',
      `${file.path}:${lineOfKey(file.text, key)}: ${key}: ${value} is looser than ${bound}, the value above it. Use ${bound} or a stricter value.`,
    );
  }
}
