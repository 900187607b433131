/** What the document on dynamic activation of skills demands, in our words, with the test that shows each. */
import type { Requirement } from './requirements.ts';

const section = 'skill activation';
const run = 'test/run/skills.test.ts';
const load = 'test/skills/load.test.ts';
const manager = 'test/skills/skill-manager.test.ts';

const example = `${run}: discovery, activation, use, a second skill, a patch`;

export const skillRequirements: Readonly<Record<string, Requirement>> = {
  S1: {
    section,
    demands:
      'The configuration is the allowlist: only what agent.skillRoots names can be activated.',
    tests: [`${run}: agent.skill_roots is read as agent.skillRoots`],
  },
  S2: {
    section,
    demands: 'Activation is decided at run time, by the agent, with skill_activate.',
    tests: [example],
  },
  S3: {
    section,
    demands: 'At the start the metadata of each skill is read, and no body.',
    tests: [`${load}: a body of 200 KB that is no text at all does not show at the start`],
  },
  S4: {
    section,
    demands:
      'The first prompt lists names and descriptions, says that none is active, and names the tool.',
    except:
      'Of all skills while they fit 2,000 bytes; then the nearest to the task are described, others are named, and `skill_search` finds the rest, because the same document wants hundreds of skills to cost no more. Fewer skills in `agent.skillRoots` give the letter.',
    tests: [example, 'test/skills/skill-prompt.test.ts: is bounded at %i skills'],
  },
  S5: {
    section,
    demands:
      'An activation checks the allowlist and the tools that the skill requires, then marks it active.',
    tests: [`${run}: a missing tool, a circle and a wrong version: told, counted, not active`],
  },
  S6: {
    section,
    demands:
      'The prompt of an active skill holds name, description, allowed tools and constraints.',
    tests: [example],
  },
  S7: {
    section,
    demands:
      'A success answers with success, a message and active_skills; a failure with an error.',
    tests: [example, `${run}: agent.skill_roots is read as agent.skillRoots`],
  },
  S8: {
    section,
    demands: 'Several skills are active at once.',
    tests: [example],
  },
  S9: {
    section,
    demands:
      'A deactivation takes the prompt away; it is optional, and all can be deactivated at once.',
    tests: [example, `${manager}: takes away what only the deactivated skill required`],
  },
  S10: {
    section,
    demands:
      'The names of the document load: project_scan and code_modify, list_files and search_text.',
    tests: [`${run}: its own task, call for call: the listing is a part of planning`],
  },
  S11: {
    section,
    demands: 'Listing takes a glob, such as **/*.py.',
    tests: [example, 'test/tools/file-pattern.test.ts: finds files by the pattern %s'],
  },
  S12: {
    section,
    demands: 'The task of the document, to look and suggest, ends with the suggestions.',
    tests: [`${run}: its own task, call for call: the listing is a part of planning`],
  },
  S13: {
    section,
    demands:
      'Metadata is parsed from the front matter: tools, constraints, interface, requirements.',
    tests: [
      'test/skills/skill.test.ts: count like those under photon, with interface, requirements and version',
    ],
  },
  S14: {
    section,
    demands: 'A skill may require others; cycles and missing ones are told.',
    tests: [`${manager}: activates a skill after those it requires, and gives their kernels`],
  },
  S15: {
    section,
    demands:
      'The tools of a skill are permissions: a call that needs a skill, and that no active one grants, is refused.',
    except:
      'Reading, searching, planning, verifying and undoing need none. Nor does `run_command` where the task is a question: it works on a copy that is thrown away.',
    tests: [
      'test/run/ask.test.ts: is tried out by a command without a skill, on a copy that is thrown away',
      `${manager}: permits the union of what active skills allow, of tools that exist`,
    ],
  },
  S16: {
    section,
    demands: 'The use of each skill is counted, and told in the outcome.',
    tests: [example],
  },
  S17: {
    section,
    demands: 'In development, a changed skill is read again.',
    tests: [
      'test/agent/loop/watch-skills.test.ts: uses a skill as it changes, and the ledger can still be judged',
    ],
  },
  S18: {
    section,
    demands: 'Skills have versions, and one skill may require a range of another.',
    tests: [
      'test/skills/requirements.test.ts: a text that is no range makes its skill unusable, and no other',
    ],
  },
  S19: {
    section,
    demands: 'Hundreds of skills cost no more in the first prompt.',
    tests: ['test/skills/skill-prompt.test.ts: is bounded at %i skills'],
  },
};
