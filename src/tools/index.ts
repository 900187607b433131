/** Lists the tools in the order that the model sees. To add a tool, add a file and a line here. */
import { abstain } from './abstain.ts';
import { applyPatch } from './apply-patch.ts';
import { clarify } from './clarify.ts';
import { finish } from './finish.ts';
import { grep } from './grep.ts';
import { listProjectFiles } from './list-project-files.ts';
import { findDefinition, findReferences } from './lookup.ts';
import { patch } from './patch.ts';
import { plan } from './plan.ts';
import { ramAdd } from './ram-add.ts';
import { ramDelete } from './ram-delete.ts';
import { readCodeBlock } from './read-code-block.ts';
import { readPullDiff } from './read-pull-diff.ts';
import { recordAdd } from './record-add.ts';
import { recordFinding } from './record-finding.ts';
import { recordIssue } from './record-issue.ts';
import { recordSearch } from './record-search.ts';
import { recordUpdate } from './record-update.ts';
import { reviewReport } from './review-report.ts';
import { runCommand } from './run-command.ts';
import { skillActivate } from './skill-activate.ts';
import { skillDeactivate } from './skill-deactivate.ts';
import { skillSearch } from './skill-search.ts';
import { stateAdd } from './state-add.ts';
import { stateDelete } from './state-delete.ts';
import { syntaxCheck } from './syntax-check.ts';
import type { Tool } from './tool.ts';
import { undo } from './undo.ts';
import { verify } from './verify.ts';

export const tools: readonly Tool[] = [
  plan,
  skillActivate,
  skillDeactivate,
  skillSearch,
  listProjectFiles,
  grep,
  findDefinition,
  findReferences,
  readCodeBlock,
  readPullDiff,
  applyPatch,
  patch,
  undo,
  syntaxCheck,
  runCommand,
  stateAdd,
  stateDelete,
  ramAdd,
  ramDelete,
  verify,
  recordSearch,
  recordAdd,
  recordUpdate,
  recordIssue,
  recordFinding,
  reviewReport,
  finish,
  abstain,
  clarify,
];
