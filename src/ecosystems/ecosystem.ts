/** What Photon knows of the tests of a language: the one value that each ecosystem exports. */
import type { PathClass } from '../guard/paths.ts';
import type { InstalledSoftware } from '../process/programs.ts';
import type { FileChange } from '../workspace/files/change.ts';
import type { Canary, CanaryPlace } from './shared/canary.ts';
import type { Cheat } from './shared/cheats.ts';
import type { RunnerOutput } from './shared/output.ts';
import type { PackageList } from './shared/package-list.ts';
import type { ProjectFiles } from './shared/project-files.ts';
import type { EarlyScope, Selection } from './shared/select.ts';
import type { ReadReport } from './shared/test-case.ts';
import type { ToolRow } from './shared/tool-row.ts';

export interface Ecosystem {
  readonly name: string;
  /** How it is detected and set up. */
  readonly detection: Detection;
  /** Its paths, by the path classes of the guard. */
  readonly paths?: Readonly<Partial<Record<PathClass, readonly RegExp[]>>>;
  readonly testCode?: TestCode;
  readonly influence?: Influence;
  readonly commands?: CommandWords;
  readonly locks?: readonly LockTool[];
  /** The manifests and lock files that name versions of packages. */
  readonly packageLists?: readonly PackageList[];
  readonly packages?: readonly PackageCheck[];
  /** The runners, and how their output is read. Where no example is recorded, it follows sources and documentation. */
  readonly runners?: readonly RunnerOutput[];
  /** Reads a report in a format of its own; undefined for other text. JUnit XML and TAP are known anyway. */
  readonly readReport?: (text: string) => ReadReport;
  /** The words that run the tests which are likely to fail; undefined for a command of another ecosystem. */
  readonly selectEarly?: (
    words: readonly string[],
    scope: EarlyScope,
  ) => Selection | Promise<Selection> | undefined;
  /** A copy of a test file with cases that must fail; undefined for a command of another ecosystem. */
  readonly plantCanary?: (place: CanaryPlace) => Canary | undefined;
  /** A part of a command as an environment of the checkout starts it in a folder, if there is one that has what it starts. */
  readonly inEnvironment?: (part: string, folder: string, files: CheckoutFiles) => string;
  /** How its runners say that a package is not installed, which no edit of the code repairs, with the flag `g`; the group is its name. */
  readonly missing?: readonly RegExp[];
}

export interface Detection {
  /** Names of files that show a project in a folder below the root. */
  readonly manifests?: RegExp;
  /** Source files of its languages, by the name in the rows. */
  readonly sources?: Readonly<Record<string, RegExp>>;
  /** What the project itself names: such rows of all ecosystems come first. */
  readonly configured?: readonly ToolRow[];
  readonly tools?: readonly ToolRow[];
  /** What packages, test files or tools for many purposes show: such rows of all ecosystems come last. */
  readonly guessed?: readonly ToolRow[];
}

/** The tracked files of a checkout, and what exists in it. */
export type CheckoutFiles = Pick<ProjectFiles, 'paths'> & Pick<InstalledSoftware, 'exists'>;

/** Tests in source text. */
interface TestCode {
  /** Imports of test libraries. */
  readonly libraries?: readonly RegExp[];
  /** Definitions of tests, with the flags `gm`; the first group that matches is the name. */
  readonly definitions?: readonly RegExp[];
  /** The beginning of the tests inside a source file, which reach to its end. */
  readonly inline?: RegExp;
  /** Calls that end the process with success, or in a way that no runner can catch. */
  readonly exits?: readonly RegExp[];
  /** What a source file does in order to cheat its tests. */
  readonly cheats?: (text: string) => readonly Cheat[];
}

/** Files that affect how tests run, and are no tests. */
interface Influence {
  /** Installed files of tools: a project can hold a copy that replaces the one from its lock file. */
  readonly installed?: readonly RegExp[];
  /** Configuration of compilers and builds, which honest changes of the source may need, too. */
  readonly builds?: readonly RegExp[];
  /** True for a new file that the tools load in place of a module of their own. */
  readonly shadows?: (change: FileChange) => boolean;
  /** The part of a manifest that configures tests, by the name of the file. */
  readonly sections?: Readonly<Record<string, (text: string) => string>>;
}

/** The tool that writes a lock file; `holds` tells tools apart that share its name. */
export interface LockTool {
  readonly file: string;
  readonly holds?: RegExp;
  /**
   * A shell line for its folder, which keeps the versions that the manifests allow. It runs no install script of a
   * package; what Yarn's configuration names does run.
   */
  readonly command: string;
}

/** What tests need to be installed, as far as files show it. */
export interface PackageCheck {
  /** Test commands without launchers. */
  readonly starts: RegExp;
  /** Commands that bring environments of their own. */
  readonly unless?: RegExp;
  readonly program: string;
  /** Names of the packages. */
  readonly needs: (files: ProjectFiles) => Promise<readonly string[]>;
  /** Where they lie, also below `~` and `$VARIABLE`: one that exists is enough. */
  readonly places: readonly string[];
  /** Words behind the program: it prints which of the names behind them it does not find. */
  readonly ask?: readonly string[];
}

/** What the words of a command mean. */
interface CommandWords {
  /** Beginnings of commands that run tests. */
  readonly starts?: readonly RegExp[];
  /** Test runners whose words are test files. */
  readonly runners?: readonly string[];
  /** Options that load a file before the tests. */
  readonly loads?: readonly RegExp[];
  /** The files that a module of the language names on the command line; undefined for another command. */
  readonly readModule?: (program: string, words: readonly string[]) => ModuleFiles | undefined;
  /** Commands that install packages by a lock file or a list, and build nothing of the project. */
  readonly installers?: readonly RegExp[];
  /** True for an output with exit status 1 that means that the test runner is not installed. */
  readonly lacksRunner?: (output: string) => boolean;
}

/** The paths that a module may be. */
export interface ModuleFiles {
  /** Files of tests, for a test runner. */
  readonly names?: readonly string[];
  /** Programs that it starts. */
  readonly starts?: readonly string[];
}
