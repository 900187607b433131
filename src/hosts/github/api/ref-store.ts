/** The versioned store of the records: one file on a ref of its own in the repository. */
import type { PhotonError } from '../../../base/codes.ts';
import { asObject, parseJson } from '../../../base/schema-issue.ts';
import type { StoreState, VersionedStore } from '../../../workspace/stores/versioned-store.ts';
import { commitFile, readCommittedFile } from './commit-objects.ts';
import type { GitHub } from './github.ts';
import { allowMissing } from './github-errors.ts';
import { isAncestor, type RefChange, readRef, swapRefs } from './refs.ts';

const name = 'refs/photon/memory';
const path = 'index.json';
const storedText = /^(?:records|queue|spend)\/[a-z0-9-]{1,90}\.json$/;
const maxTextBytes = 64_000;

/** Opens the store; the first request is made when it is read. */
export function openRefStore(github: GitHub): VersionedStore {
  return {
    place: `${github.repository}, ${name}`,
    read: async () => {
      const commit = await readRef(github, name);
      if (commit === undefined) return { seen: '', files: new Map() };
      return { seen: commit, files: parseTexts(await readCommittedFile(github, { commit, path })) };
    },
    swap: async (state, edits, message) => {
      const before = state.seen === '' ? undefined : state.seen;
      const text = renderTexts(state, edits);
      const after = await commitFile(github, {
        path,
        text,
        message: `${message}\n`,
        parent: before,
      });
      if (await isSwapped(github, { name, before, after, forward: true })) return 'done';
      // another run may have written on top of this commit while its reply was lost
      const head = await readRef(github, name);
      return head !== undefined && (await holds(github, head, after)) ? 'done' : 'moved';
    },
  };
}

/** Whoever can push can write the file, so what Photon would not have written is left out. */
function parseTexts(json: string): StoreState['files'] {
  const texts = Object.entries(asObject(asObject(parseJson(json)).files));
  return new Map(
    texts.flatMap(([key, text]) =>
      storedText.test(key) && typeof text === 'string' && text.length <= maxTextBytes
        ? [[key, text]]
        : [],
    ),
  );
}

function renderTexts(
  { files }: StoreState,
  edits: ReadonlyMap<string, string | undefined>,
): string {
  const edited = [...new Map([...files, ...edits])].filter(([, text]) => text !== undefined);
  const sorted = edited.sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify({ schema: 1, files: Object.fromEntries(sorted) }, null, 1)}\n`;
}

async function isSwapped(github: GitHub, change: RefChange): Promise<boolean> {
  try {
    return (await swapRefs(github, [change])).ok;
  } catch (error) {
    // the ref was moved, so the commit is no descendant of it
    if ((error as PhotonError).code === 'FORCE_PUSH_FORBIDDEN') return false;
    throw error;
  }
}

/** True when the commit is in the history of a head. */
async function holds(github: GitHub, head: string, commit: string): Promise<boolean> {
  // it finds nothing for two histories without a common commit
  return (await allowMissing(isAncestor(github, { ancestor: commit, commit: head }))) ?? false;
}
