/** The instruction files of the repository, which join the conversation as the run touches the paths that they are about. */
import type { UsedInstructions } from '../../base/outcome.ts';
import type {
  InstructionFile,
  InstructionFiles,
  InstructionText,
} from '../../workspace/trusted/instruction-files.ts';
import { cutText } from './model-conversation.ts';
import { fill, type Templates } from './profile.ts';

/** Most bytes of one file, and of all together. */
export const instructionBounds = { file: 12_000, all: 32_000 } as const;

export interface InstructionsOptions {
  readonly found: InstructionFiles;
  readonly templates: Templates;
  /** Random word that marks foreign text. */
  readonly mark: string;
  /** Most bytes of all files together. */
  readonly maxBytes: number;
  readonly scrub: (text: string) => string;
  /** Gets each file that has joined. */
  readonly onJoin: (used: UsedInstructions, hidden: number) => void;
  /** Gets a line about a file that has no room. */
  readonly note: (line: string) => void;
}

export interface Instructions {
  /** Adds the files that are about the whole repository or one of these paths. */
  join(paths: Iterable<string>): Promise<void>;
  /** What the model is shown; empty while no file has joined. */
  text(): string;
}

/** Begins without any file; `join` adds them. */
export function openInstructions(options: InstructionsOptions): Instructions {
  const { found, templates, mark, scrub, onJoin, note } = options;
  const waiting = new Set(found.files);
  const checked = new Set<string>();
  const joined = new Set<string>();
  const shown: string[] = [];
  let left = options.maxBytes;
  const add = ({ scope }: InstructionFile, { path, sha256, text, hidden }: InstructionText) => {
    if (joined.has(path) || joined.has(sha256)) return;
    joined.add(path).add(sha256);
    const cut = cutText(scrub(text), instructionBounds.file, templates);
    const part = fill(templates, 'instruction', {
      path,
      scope,
      text: fill(templates, 'data', { mark, text: cut }),
    });
    const bytes = Buffer.byteLength(part) + 1;
    if (bytes > left) {
      note(`${path} was not shown to the model: there is no room for more instructions.`);
      return;
    }
    left -= bytes;
    shown.push(part);
    onJoin({ path, sha256 }, hidden);
  };
  return {
    join: async paths => {
      const fresh = [...paths].filter(path => !checked.has(path));
      for (const path of fresh) checked.add(path);
      const due = [...waiting].filter(f => f.everywhere || fresh.some(f.appliesTo));
      for (const file of due) {
        waiting.delete(file);
        for (const text of await found.read(file.path)) add(file, text);
      }
    },
    text: () =>
      shown.length === 0 ? '' : fill(templates, 'instructions', { files: shown.join('\n') }),
  };
}
