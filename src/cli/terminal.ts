/** The terminal as commands see it. */

/** The terminal; the entry point provides it. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv;
  /** Folder of Photon itself. */
  readonly root: string;
  /** Aborts when the user stops the command. */
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  now(): number;
  /** Asks the user a question and returns the answer; null if nobody can be asked. */
  readonly ask: ((question: string) => Promise<string>) | null;
  /** Writes text for people to standard output. */
  print(text: string): void;
  /** Writes data for another program, such as a patch, to standard output. It is exact unless `isShown`. */
  printData(text: string): void;
  /** True if a person, or a runner that takes commands from it, reads standard output. */
  readonly isShown: boolean;
  /** Writes progress and endings to standard error. */
  tell(text: string): void;
}

/** Carries out a command and returns its exit status. Throws PhotonError `USAGE` for invalid arguments. */
export type CommandHandler = (args: readonly string[], terminal: Terminal) => Promise<number>;
