/** A task on its way to its run, and what made it. */

import type { MemoryPlace } from '../../agent/context/open-memory.ts';
import type { RunInput } from '../../agent/run/run-input.ts';
import { type Code, codes } from '../../codes.ts';
import type { CommandAnswer, Delivered, Status } from '../../outcome.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Task } from '../../task.ts';
import type { Git } from '../../workspace/git/git.ts';
import type { GitHub } from '../api/github.ts';

/** How a task ended before its run began. */
export interface Refused {
  readonly status: Status;
  readonly code: Code;
  readonly message: string;
  readonly answer?: CommandAnswer;
  readonly delivered?: Delivered;
}

/** A task, or one that has ended before it began. */
export interface Planned {
  readonly task: Task | null;
  readonly refused?: Refused | undefined;
}

/** What tasks are made from. */
export interface TaskGround {
  readonly input: Pick<RunInput, 'event' | 'workspace'>;
  readonly settings: Settings;
  readonly repository: string;
  /** Branch that results go to unless a setting or a pull request says otherwise. */
  readonly baseRef: string;
  readonly askedBy: string;
  readonly baseCommit: string;
  readonly github: () => Promise<GitHub>;
  readonly log: (line: string) => void;
  readonly scrub: (text: string) => string;
  readonly now: () => number;
  readonly git: Pick<Git, 'mergeText'>;
  /** Where the records are; null where memory is off or has no place. */
  readonly memory: () => Promise<MemoryPlace | null>;
}

/** An ending with the code's own words, or better ones. */
export function refused(
  status: Status,
  code: Code,
  message: string = codes[code].meaning,
): Refused {
  return { status, code, message };
}

/** Nobody is answered: there is no task, and so no conversation. */
export function quiet(code: Code, message?: string): Planned {
  return { task: null, refused: refused('no_change', code, message) };
}
