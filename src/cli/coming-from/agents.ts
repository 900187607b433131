/** The agents whose workflows `photon init --from` reads. */
import { claudeCodeAction } from './claude-code-action.ts';
import { codexAction } from './codex-action.ts';
import { geminiCli } from './gemini-cli.ts';
import { openCode } from './opencode.ts';
import type { SourceAgent } from './source-agent.ts';

export const sourceAgents: readonly SourceAgent[] = [
  claudeCodeAction,
  codexAction,
  geminiCli,
  openCode,
];
