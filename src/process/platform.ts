/** What differs between the systems that Photon runs on. Other code asks a platform, and never for the name of the system. */
import type { PlatformPath } from 'node:path';

/** A program to start, with its variables. A shell line is `['sh', '-c', line]`, on every system. */
export interface CommandRequest {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What to pass to `spawn`. */
export interface SpawnRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly options: {
    /** True: the program leads a process group, by which its descendants are stopped. */
    readonly detached: boolean;
    readonly windowsVerbatimArguments?: boolean;
    readonly windowsHide?: boolean;
  };
}

/** The shell that runs the commands of the project, and the lines that Photon itself writes for it. */
export interface ShellSyntax {
  /** Quotes a word, if it needs quotes. */
  quoted(word: string): string;
  /** The line that starts a program with variables (`NAME=value`) and words. */
  line(command: { readonly env: readonly string[]; readonly words: readonly string[] }): string;
  /** Entries of `env` that take a variable away from a line. */
  without(variable: string): readonly string[];
  /** In front of a line: removes a file, if it exists. */
  removing(path: string): string;
  /** In front of a line: ends it after this processor time. Empty if the system has no such limit. */
  limited(cpuSeconds: number): string;
  /** In front of a line: a variable with the path of a folder in the working folder. */
  naming(variable: string, folder: string): string;
  /** In front of a line: the programs of `node_modules/.bin` come first. */
  readonly withLocalPrograms: string;
  /** In front of a line: a build whose output shows only if it fails, which also ends the line. */
  building(build: string): string;
  /** Prints the working folder. */
  readonly printFolder: string;
  /** True if a shell line failed because its program was not found, and its output says so. */
  lacksProgram(end: { readonly exitCode: number | undefined; readonly output: string }): boolean;
  /** False if this shell could read a line as other commands than `sh` does. */
  readsAsPosix(line: string): boolean;
}

export interface Platform {
  readonly name: 'posix' | 'windows';
  /** False if no launcher of this system keeps anything from a command. */
  readonly isolates: boolean;
  /** The path functions of this system. */
  readonly path: PlatformPath;
  /** True for a path that names one file of this machine, whatever the working folder and the drive are. */
  isFixed(path: string): boolean;
  /** True for a path inside a folder, but not for the folder itself. */
  isBelow(path: string, folder: string): boolean;
  /** True if two paths, as they are written, name one file. */
  isSame(path: string, other: string): boolean;
  /** The folder for temporary files of a machine that names none. */
  readonly temporary: string;
  /** A folder that does not exist, and that nobody but an administrator could create. */
  readonly nowhere: string;
  /** The setting of git for hooks that makes it run none. */
  readonly noHooks: string;
  /**
   * The variables of the process under the names that Photon reads: `PATH`, `HOME` and `TMPDIR`. On Windows, it also
   * sets the variable that keeps the system from looking for programs in the working folder.
   */
  environment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
  /** The name under which `environment` has a variable. */
  variableName(name: string): string;
  /** Further variables that commands of the project receive. */
  readonly commandVariables: readonly string[];
  /** Variables that every command receives, unless the environment has them. */
  readonly commandDefaults: Readonly<Record<string, string>>;
  /** Folders to search after those of the PATH. */
  readonly administration: readonly string[];
  /** The names of the files that a program can have, in the order of the search. */
  programFiles(name: string): readonly string[];
  /** The same for the programs that Photon itself starts without a shell. */
  ownProgramFiles(name: string): readonly string[];
  /** False if the system cannot tell from the mode of a folder who may write to it. */
  readonly hasModes: boolean;
  /** The shell of the commands of the project. */
  readonly shell: ShellSyntax;
  /** A text that programs printed, with the paths of this machine as Unix writes them: with `/`, and without a drive. */
  unixPaths(text: string): string;
  /** How to start a command. */
  start(command: CommandRequest): SpawnRequest;
  /** Stops a program that is running, and what it started. */
  stop(pid: number, how: 'gently' | 'at once'): void;
  /** Stops what a program left that has ended, as far as the system can still find it. */
  stopLeft(pid: number): void;
  /** True if git of this system usually writes other line ends into a work tree than commits have, and no links. */
  readonly convertsFiles: boolean;
  /** True for an error of a file operation that may succeed a moment later, when another program has closed the file. */
  isBusy(error: unknown): boolean;
}
