/** SKILL_GUARD: a change that every skill which grants the tool rules out with its guards (§5.1). */
import type { WriteFacts } from '../claim.ts';
import { patchSize } from '../patch-size.ts';
import { findPattern, normalisePath } from '../paths.ts';
import type { SkillGrant } from '../policy/skill-grant.ts';
import type { Case, Rule } from '../rule.ts';

/** Permissions are a union: one active skill that grants the tool and allows the change is enough. */
export const skillGuard: Rule = {
  code: 'SKILL_GUARD',
  section: '§5.1',
  judge: c => {
    const writes = c.call.claims.filter(claim => claim.kind === 'write');
    const grants = c.evidence.activeSkills.filter(s => s.tools.includes(c.call.tool));
    for (const write of writes) {
      const against = grants.map(grant => objection(grant, write, c));
      // TOOL_NOT_PERMITTED reports a tool without any grant
      const [first] = against.every(why => why !== undefined) ? against : [];
      if (first) return first;
    }
    return undefined;
  },
};

function objection(grant: SkillGrant, write: WriteFacts, c: Case): string | undefined {
  const { name } = grant;
  const path = normalisePath(write.path) ?? write.path;
  const why =
    pathObjection(grant, path, { ...c, documents: isDocumentation(write) }) ??
    changeObjection(grant, { ...write, path }, c);
  if (why !== undefined) return `${name}: ${why}`;
  const { maxFiles = Number.POSITIVE_INFINITY, maxLines = Number.POSITIVE_INFINITY } = grant.guards;
  const { files, lines } = patchSize(c);
  if (files > maxFiles)
    return `${name}: the patch would change ${files} files; the skill allows at most ${maxFiles}`;
  if (lines > maxLines)
    return `${name}: the patch would change ${lines} lines; the skill allows at most ${maxLines}`;
  return undefined;
}

/** True for a change of nothing but comments, none of which silences a check. */
function isDocumentation({ comments, suppresses }: WriteFacts): boolean {
  return comments === true && suppresses === undefined;
}

/** Why each of these skills may not change a file, whatever the change is; undefined if one of them may. */
export function objectToFile(
  grants: readonly SkillGrant[],
  path: string,
  pathClasses: Case['pathClasses'],
): string | undefined {
  const against = grants.map(grant => {
    const why = pathObjection(grant, path, { pathClasses });
    return why === undefined ? undefined : `${grant.name}: ${why}`;
  });
  return against.every(why => why !== undefined) ? against[0] : undefined;
}

function pathObjection(
  { guards: { paths, except } }: SkillGrant,
  path: string,
  { pathClasses, documents }: Pick<Case, 'pathClasses'> & { readonly documents?: boolean },
): string | undefined {
  const isOpen = documents === true && paths?.includes('@docs') === true;
  if (paths !== undefined && !isOpen && findPattern(pathClasses, paths, path) === undefined)
    return `${path} is outside ${paths.join(', ')}`;
  const closed = except === undefined ? undefined : findPattern(pathClasses, except, path);
  return closed === undefined
    ? undefined
    : `${path} is in ${closed}, which the skill may not change`;
}

function changeObjection({ guards }: SkillGrant, write: WriteFacts, c: Case): string | undefined {
  const { path } = write;
  const known = c.facts.get(path);
  if (guards.create === false && (known === undefined || known.kind === 'missing'))
    return `${path} would be a new file`;
  if (guards.delete === false && write.change === 'delete') return `${path} would be deleted`;
  return guards.suppress !== false || write.suppresses === undefined
    ? undefined
    : `${path} would silence a check with ${write.suppresses[0]}`;
}
