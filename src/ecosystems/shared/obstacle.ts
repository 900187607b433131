/** Why no edit of the code can repair the failure of a test. Pure. */

/** The files of the project, to name places in it. */
export interface ProjectPaths {
  readonly paths: readonly string[];
  readonly isTest: (path: string) => boolean;
}

/** A text in which a runner says why a test failed. */
export interface Failure {
  readonly text: string;
  /** Path of the test file; empty if it is unknown. */
  readonly file: string;
  /** True if a file did not load, so that none of its cases ran. */
  readonly loads: boolean;
}

export interface Names extends ProjectPaths {
  /** The path below the root folder, as far as it is known. */
  readonly own: (path: string) => string;
}

/** Why no edit of the code can repair the failure, and what to do; undefined for another failure. */
export type Obstacle = (failure: Failure, names: Names) => string | undefined;

/** How to install what is missing. */
export const install =
  'Install the packages in a step before Photon, or set setup-command to the command that installs them, and network to setup.';

/** Says that a program which the test command starts is missing. */
export const startsMissing = (name: string) =>
  `The test command starts "${name}", which is not installed. ${install}`;
