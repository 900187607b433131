/** What the tools of a run work with: opened at the first use, closed together. */
import type { Ending, Outcome } from '../../base/outcome.ts';
import type { McpServers } from '../../mcp/servers.ts';
import type { Navigation } from '../../navigation/open-navigation.ts';
import type { Symbols } from '../../navigation/symbols.ts';
import type { CommandView } from '../../sandbox/command-view.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { RemadeLocks } from '../../tools/tool.ts';
import type { OpenSetUp } from '../../verify/set-up/set-up-views.ts';
import type { Verifier } from '../../verify/verify.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import type { Git } from '../../workspace/git/git.ts';
import type { Session } from '../../workspace/session/session.ts';
import type { View } from '../../workspace/views/view.ts';

export interface RunServices {
  readonly session: Session;
  /** What the base of the session differs by from the checkout. */
  readonly drift: readonly FileChange[];
  readonly symbols: Symbols;
  readonly navigation: Navigation;
  readonly commands: CommandView;
  /** Undefined without MCP servers in the configuration. */
  readonly mcp: McpServers | undefined;
  /** Undefined when verification is waived. */
  readonly verifier: Verifier | undefined;
  /** A session on another base, and a verifier that shows the files of that base. */
  reopen(git: Git, drift: readonly FileChange[]): Promise<ReopenedServices>;
  /** The lock files of a merge that their tools make anew; undefined without any. */
  readonly locks: LockFiles | undefined;
  /** The command that the verifier runs. */
  readonly testCommand: string | undefined;
  readonly sandbox: () => Promise<Sandbox>;
  /** What must be open before the model gets a request: the sandbox, if it must hold or the tests need it. It rejects as that does. */
  readonly ready: Promise<unknown>;
  /** Opens a copy of the checkout with these changes, after the set-up. The caller closes it. */
  readonly openSetUp: OpenSetUp<View>;
  /** The sandbox as far as it was opened. */
  sandboxState(): Outcome['sandbox'];
  close(): Promise<void>;
}

/** Lock files of a merge. Both throw PhotonError `SANDBOX_UNAVAILABLE`, `DISK`, `CANCELLED`. */
export interface LockFiles {
  /** Makes them before the model is asked, if no manifest has a conflict. @returns the ending if a tool fails. */
  begin(): Promise<Ending | undefined>;
  /** Makes them as one step of the session. */
  remake(): Promise<RemadeLocks>;
}

/** Session and verifier on another base. The caller closes the verifier. */
interface ReopenedServices {
  readonly session: Session;
  readonly verifier: Verifier | undefined;
}
