/** What a delivery that failed left in the repository. */
import { PhotonError } from './codes.ts';

/** Facts that were read back after the failure. Nothing in any list: the repository is as it was. */
export interface LeftBehind {
  /** Branches with the commits of this run that they hold now. */
  readonly branches: readonly { readonly name: string; readonly commit: string }[];
  /** Pull requests that this run changed. */
  readonly pulls: readonly {
    readonly number: number;
    readonly change: 'opened' | 'updated' | 'closed';
    readonly state: 'open' | 'closed';
  }[];
  /** What could not be read, so that nobody knows: `the branch photon/task-1`. */
  readonly unread: readonly string[];
}

export const nothingLeft: LeftBehind = { branches: [], pulls: [], unread: [] };

/** The error of a delivery, with what the delivery left. */
export class UnfinishedDelivery extends PhotonError {
  readonly left: LeftBehind;

  constructor(error: PhotonError, left: LeftBehind) {
    super(error.code, error.message, { hint: error.hint, cause: error });
    this.left = left;
  }
}
