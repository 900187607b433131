/** The input of a run at the terminal: no event and no GitHub. */
import type { RunInput } from '../hosts/host.ts';
import { localHost } from '../hosts/local/local-host.ts';
import { deliveryText } from '../report/pull-request/delivery-text.ts';
import { findTerminalPrograms, readTerminalConfig, type Terminal } from './terminal.ts';

/** What all local runs have in common. `workspace` is the folder of the repository. */
export function localInput(
  terminal: Pick<Terminal, 'env' | 'root' | 'now' | 'signal'>,
  workspace: string,
): Omit<RunInput, 'inputs' | 'tempRoot' | 'delivery' | 'event' | 'log'> {
  return {
    host: localHost(deliveryText),
    repository: '',
    page: '',
    apiUrl: '',
    ref: '',
    sha: '',
    hosted: false,
    ownConfig: readTerminalConfig(terminal, workspace),
    hidePaths: [],
    mutationSpacingMs: 1000,
    actor: terminal.env.USER ?? '',
    workspace,
    root: terminal.root,
    env: terminal.env,
    programs: findTerminalPrograms(terminal, workspace),
    now: terminal.now,
    signal: terminal.signal,
    lastTexts: ({ status, code, message }) => [
      { to: 2, text: `${status} (${code}): ${message}\n` },
    ],
  };
}
