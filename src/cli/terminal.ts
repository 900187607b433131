/** What a command of the terminal is given, and what it gives back. */

/** The terminal, held by the door. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv;
  /** Folder of Photon itself. */
  readonly root: string;
  /** Aborted when the user stops the command. */
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  now(): number;
  /** Asks the person a question and gives the answer; null where nobody can be asked. */
  readonly ask: ((question: string) => Promise<string>) | null;
  /** Writes to the standard output: text for people. */
  print(text: string): void;
  /** Writes what another program reads, such as a patch: to the byte, unless `isShown`. */
  printData(text: string): void;
  /** True when a person, or a runner that takes commands from it, reads the standard output. */
  readonly isShown: boolean;
  /** Writes to the standard error: progress, endings. */
  tell(text: string): void;
}

/** Carries a command out and gives its exit status; throws PhotonError `USAGE` for bad arguments. */
export type CommandHandler = (args: readonly string[], terminal: Terminal) => Promise<number>;
