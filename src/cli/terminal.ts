/** The terminal as commands see it, and what they find by its environment. */
import { findPrograms, findTop, type Programs } from '../process/programs.ts';
import { type OwnConfig, readOwnConfig } from '../workspace/trusted/own-config.ts';

/** The terminal; the entry point provides it. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv;
  /** Folder of Photon itself. */
  readonly root: string;
  /** Aborts when the user stops the command. */
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  now(): number;
  /** Writes text for people to standard output. */
  print(text: string): void;
  /** Writes data for another program, such as a patch, to standard output. It is exact unless `isShown`. */
  printData(text: string): void;
  /** True if a person, or a runner that takes commands from it, reads standard output. */
  readonly isShown: boolean;
  /** Columns of standard output; undefined if it is no terminal. */
  readonly columns: number | undefined;
  /** Writes progress and endings to standard error. */
  tell(text: string): void;
  /** The last line of standard error, which can be replaced; undefined if standard error is no terminal. */
  readonly live: LiveLine | undefined;
  /** Whether each stream shows colours; it depends on the stream, `NO_COLOR` and `FORCE_COLOR`. */
  readonly colours: { readonly out: boolean; readonly error: boolean };
}

/** A line that is replaced until other text is written. */
interface LiveLine {
  readonly columns: number;
  /** Shows one line without a line break; an empty one removes it. */
  show(line: string): void;
}

/** The programs that Photon starts for a folder: none lies in the checkout that contains it. */
export const findTerminalPrograms = ({ env }: Pick<Terminal, 'env'>, folder: string): Programs =>
  findPrograms(env.PATH ?? '', [findTop(folder)]);

/** The user's own configuration, which never lies in the checkout that contains the folder. @throws PhotonError `FILE_UNREADABLE`. */
export const readTerminalConfig = (
  { env }: Pick<Terminal, 'env'>,
  folder: string,
): OwnConfig | undefined => readOwnConfig(env, findTop(folder));
