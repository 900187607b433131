/** What a checkout lacks, or what of it cannot be read, so that its tests may not be found or may fail. Pure. */
import { listFirst } from '../../base/plural.ts';
import type { ProjectFiles } from '../shared/project-files.ts';

/** Each in one sentence or two: what is the case, and what to do. Empty for a whole checkout. */
export async function findNotes({ has, read }: ProjectFiles): Promise<readonly string[]> {
  const notes: string[] = [];
  const manifest = has('package.json') ? await read('package.json') : undefined;
  const wrong = manifest === undefined ? undefined : explainJson(manifest);
  if (wrong !== undefined)
    notes.push(`package.json is not valid JSON, so its scripts are unknown: ${wrong}. Correct it.`);
  const modules = [
    ...((await read('.gitmodules')) ?? '').matchAll(/^[ \t]*path[ \t]*=[ \t]*(\S+)/gm),
  ];
  if (modules.length > 0)
    notes.push(
      `The project has submodules (${listFirst(modules, m => m[1] ?? '')}), and Photon works without their files. If the tests need them, fetch them in setup-command.`,
    );
  const stored = [
    ...((await read('.gitattributes')) ?? '').matchAll(/^(\S+)[^\n]*\bfilter=lfs\b/gm),
  ];
  if (stored.length > 0)
    notes.push(
      `Git LFS holds ${listFirst(stored, m => m[1] ?? '')}. Without git lfs pull, the tests read pointers instead of these files.`,
    );
  return notes;
}

function explainJson(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return (error as Error).message.replace(/\s+/g, ' ').slice(0, 200);
  }
}
