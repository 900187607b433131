/** What is demanded of workflows and the artifact manifest, in our words; scenarios carry the ids as tags. */
import type { Requirement } from './requirements.ts';

const section = 'artifact manifest';

export const manifestRequirements: Readonly<Record<string, Requirement>> = {
  M1: { section, demands: 'After each task the constitution lists what it made, with its status.' },
  M2: {
    section,
    demands:
      'Whoever reads the constitution, and the prompt of a task, sees every task of the workflow with path and status.',
  },
  M3: {
    section,
    demands: 'The table reads back without doubt, and says what the state file says.',
  },
  M4: {
    section,
    demands:
      'The template carries a reading convention; it reaches the model, names tools that there are, and is never touched.',
  },
  M5: { section, demands: 'However often it is written, there is one section: the latest.' },
  M6: {
    section,
    demands: 'A project without a constitution gets one that holds the section, with a warning.',
  },
  M7: {
    section,
    demands: 'A manifest that cannot be written is warned of and stops no workflow.',
    except:
      'A link or a folder in place of `constitution.md` stops the start (`CONSTITUTION_INVALID`), because a rule could be meant.',
  },
  M8: { section, demands: 'A manifest is of its project alone: no folder inherits it.' },
  M9: {
    section,
    demands:
      'An output that a task declares in a folder with a dot waits for no review, unless the folder steers a tool.',
  },
  M10: { section, demands: 'A table that somebody edited is written again from the state.' },
  M11: { section, demands: 'A task that waits says why, and for whom.' },
  M12: {
    section,
    demands: 'With --apply, the work tree has the patch and the manifest after each task.',
  },
};
