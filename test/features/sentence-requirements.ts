/**
 * The single sentences of the source documents that a row of the other tables stands for: each says what it
 * demands, in our words, and which row shows it. With them, the page has every demand.
 */
import type { Requirement } from './requirements.ts';

/** The exception of the row does not touch this sentence. */
const enforced = { enforced: true } as const;

type Sentence = readonly [
  section: string,
  demands: string,
  as: string,
  /** What holds for this sentence and not for the row. */
  own?: Pick<Requirement, 'prompt' | 'except' | 'enforced'>,
];

const constitution: readonly Sentence[] = [
  ['§0', 'Formal constraints, transitions and checks replace instructions in prose.', 'C0.1'],
  ['§0', 'The contract is not negotiable while a run goes on.', 'C12.1'],
  [
    '§1',
    'Photon plays no role.',
    'C1.2',
    {
      prompt:
        'No code can tell whether a text plays a role. What code holds: the words of the agent come out under their label alone.',
    },
  ],
  [
    '§1',
    'It does not speculate about intent.',
    'C1.2',
    {
      prompt:
        'No code can tell a reading of the task from speculation. What code holds: the plan binds the patch, and the tests decide.',
    },
  ],
  ['§1', 'It writes no long plans and no narrative.', 'C4.3'],
  ['§1', 'It generates nothing outside of tools, skills and patches.', 'C1.1'],
  ['§2', 'A run begins at INPUT and plans first.', 'C2.1'],
  ['§2', 'Navigation comes before reading; PLAN does not lead to READ.', 'C2.1'],
  ['§2', 'Reading is bounded.', 'C3.1a'],
  ['§2', 'Patching is scoped to lines.', 'C3.4b'],
  [
    '§2',
    'Verification comes before the commit.',
    'F3.2',
    {
      except:
        'Except under `verify: none`, which a person must set in writing: the patch is then a draft whose first line says so. A patch that passes only with tests that it changed itself is a draft that names them, if the task asks for changed behaviour (`verify.testChanges: asked`); `rollback` delivers none.',
    },
  ],
  ['§2', 'A run ends in COMMIT or ROLLBACK.', 'C2.4'],
  ['§3.1', 'Recursive reads are prohibited.', 'C3.1b'],
  ['§3.1', 'A read is scoped to explicit files and line ranges.', 'C3.1c'],
  ['§3.2', 'A definition lookup is navigation.', 'C3.2b'],
  ['§3.2', 'A reference lookup is navigation.', 'C3.2b'],
  ['§3.2', 'A mapping from symbol to file out of the context is navigation.', 'C3.2c'],
  ['§3.2', 'The map that the engine shows at the start is none.', 'C3.2a'],
  ['§3.3', 'Files are created by apply_patch.', 'C3.3e'],
  ['§3.3', 'Files are modified by apply_patch.', 'C3.3a'],
  ['§3.3', 'Each item has a path.', 'C3.4a'],
  ['§3.3', 'Content is the whole file.', 'C3.3e'],
  ['§3.3', 'Edits name a start line, perhaps an end line, and content.', 'C3.3d'],
  ['§3.3', 'Several files go in one call.', 'C3.3b'],
  ['§3.3', 'Commands show the environment: folders, versions, configuration, logs.', 'C3.3c'],
  ['§3.3', 'Commands build and test.', 'C3.3c'],
  ['§3.3', 'Redirections and tee may write logs.', 'C3.3c'],
  ['§3.3', 'Backups are kept under .photon/patches/backups, and undo restores from them.', 'C3.3f'],
  ['§3.3', 'No skill has to grant undo.', 'C3.3f'],
  ['§3.4', 'The preview is a generated diff.', 'C3.3g'],
  ['§4', 'There is a plan before any read.', 'C4.1'],
  ['§4', 'There is a plan before any write.', 'C4.1', enforced],
  ['§4', 'The plan names entry symbols.', 'C4.2'],
  ['§4', 'The plan names affected files.', 'C4.2'],
  ['§4', 'The plan names the expected scope.', 'C4.2'],
  ['§4', 'A plan is shown when that was asked for.', 'C4.3'],
  ['§4', 'The reasoning before a batch has 2 to 5 sentences.', 'C4.4'],
  [
    '§4.1',
    'What results imply is said before the next step.',
    'C4.1a',
    {
      prompt:
        'No code can tell whether a thought reflects on a result. What code holds: each round that calls a tool has a real sentence of its own.',
    },
  ],
  ['§4.1', 'What tools can tell is not asked of people.', 'C9.1'],
  ['§4.1', 'Several rounds, with commands in them, are better than assumptions.', 'C4.1b'],
  ['§4.1', 'A file of a listing is read by symbol or lines.', 'C4.1c'],
  ['§4.1', 'Several reads of a round become one call, and Photon says so.', 'C4.1d'],
  ['§4.1', 'A request with a path alone gives the first page.', 'C3.1c'],
  ['§5.1', 'A skill may bring semantics of a higher level.', 'C5.1'],
  ['§5.1', 'A skill does no unrestricted input or output.', 'C5.1'],
  ['§5.2', 'agent.skillRoots is the allowlist.', 'S1'],
  ['§5.3', 'Activation is explicit, by skill_activate.', 'C5.3'],
  ['§5.3', 'No skill is active by default.', 'C5.3'],
  ['§5.3', 'Activation brings the prompt just in time.', 'C5.5', enforced],
  ['§5.3', 'Deactivation is optional.', 'S9'],
  ['§5.4', 'Metadata is loaded at the start, and bodies are not.', 'S3'],
  ['§5.4', 'The discovery prompt is a list.', 'S4', enforced],
  ['§5.4', 'The manager checks the allowlist at the activation.', 'S5'],
  ['§5.5', 'An activation shows tools, constraints and interface.', 'C5.5', enforced],
  ['§5.5', 'It shows minimal content, not the whole SKILL.md.', 'C5.5'],
  ['§5.5', 'Text and prompt go with the deactivation.', 'C5.5', enforced],
  [
    'skill activation',
    'The prompt of an active skill joins the messages as a system message.',
    'C5.5',
    {
      except:
        'It is the answer of `skill_activate`, because many endpoints take a system message at the start alone. In the profile `kjxlkj-agent`, which keeps no messages, it stays in each request.',
    },
  ],
  ['skill activation', 'skill_activate takes skill_name.', 'S2'],
  ['§6', 'Tools make no decisions.', 'C6.1'],
  ['§6', 'Tools infer no intent.', 'C6.1'],
  ['§6', 'Tools start no chain of their own.', 'C6.1'],
  ['§7.1', 'Short-term memory is of the current task.', 'C7.1'],
  ['§7.2', 'Long-term memory keeps validated patterns.', 'C7.2'],
  ['§7.2', 'It keeps constraints of the project.', 'C7.2'],
  ['§7.2', 'It decays, and can be negated.', 'C7.2'],
  ['§8', 'Verification results come out.', 'C8.3'],
  [
    '§8',
    'Speculative explanations do not come out.',
    'C8.2',
    {
      prompt:
        'No code can tell an explanation from a speculative one. What code holds: the words of the agent come out bounded, escaped and under a label that says nobody verified them.',
    },
  ],
  ['§9', 'Destructive alternatives justify a question, if the run has seen them.', 'C9.1'],
  ['§9', 'A symbol that an exact lookup missed justifies one.', 'C9.1'],
  ['§9', 'Constraints in force that collide justify one.', 'C9.1'],
  ['§10', 'A violation aborts.', 'C10.1'],
  ['§11', "A repository's own constitution binds by its front matter, or by its text.", 'C11.2'],
  ['§11', 'Text without effect is named.', 'C12.2'],
  ['§12', 'It supersedes prompts, style and recommendations.', 'C12.1'],
];

const fpf: readonly Sentence[] = [
  [
    'FPF §1.1',
    'Only the relevant skills are selected.',
    'F1.1',
    {
      prompt:
        'The agent decides what is relevant; the skill document wants it so. What code holds: the allowlist, the order by the words of the task, and at most four active skills.',
    },
  ],
  ['FPF §1.1', 'The explanation of an abstention is clear.', 'F1.1b', enforced],
  ['FPF §1.2', 'Name and id come from the front matter.', 'F1.2'],
  ['FPF §1.2', 'The kernel comes from the body.', 'F1.2'],
  ['FPF §1.3', 'Role and work plan can be built without knowledge from elsewhere.', 'F1.3'],
  ['FPF §1.3', 'What the interface of a skill does not state is named.', 'F1.3b'],
  ['FPF §2.1', 'Two sessions do not see each other.', 'F2.1a'],
  ['FPF §2.1', 'Only a commit or an export takes changes out.', 'F2.1b'],
  ['FPF §2.2', 'What was run can be answered from the audit log.', 'F2.2a'],
  ['FPF §2.2', 'An entry names caller and paths.', 'F2.2b'],
  ['FPF §3', 'Missing evidence gives abstain.', 'F3.2'],
  ['FPF §3', 'Unknown evidence never gives pass.', 'FI3', enforced],
  ['FPF §3', 'A violation is abstain with severity abort.', 'C10.1', enforced],
  ['FPF §3', 'A crash after a pass gives degrade, with the logs on the trace.', 'F3.3'],
  ['FPF §3', 'A command stopped at a limit is degrade.', 'F3.3'],
  ['FPF §4', 'An unknown tool is blocked with abstain.', 'F4.1'],
  ['FPF §4', 'Arguments of a wrong type are refused at once.', 'F4.2'],
];

const contract: readonly Sentence[] = [
  ['contract, identity', 'The name is kjxlkj-agent.', 'K3.1'],
  [
    'contract, identity',
    'Prompt text is fully defined in JSON files.',
    'K3.3',
    {
      except:
        'The texts of profile, templates and triggers are in JSON. Four others are where their own format wants them: the constitution and SKILL.md in Markdown, the description of a tool beside its schema, and the meaning of a code in the table of codes. The outcome names the hashes of profile and constitution.',
    },
  ],
  ['contract, loop', 'The agent runs in a loop.', 'K7.1', enforced],
  ['contract, loop', 'Memory is carried from loop to loop.', 'K4.1'],
  ['contract, loop', 'States are explicit, and can be added and removed.', 'K4.2'],
  ['contract, loop', 'Records last, and are asked for and changed explicitly.', 'K1.1'],
  ['contract, memory', 'The transcript is not kept in full.', 'K5.1', enforced],
  ['contract, memory', 'Entries are created, changed and deleted freely.', 'K5.2'],
  ['contract, memory', 'Operations are summed up for an audit.', 'K1.2'],
  ['contract, prompt JSON', 'Segments have a condition and a prompt.', 'K3.3'],
  ['contract, prompt JSON', 'default and named states are conditions.', 'K4.2', enforced],
  ['contract, yolo', 'yolo changes notes without a queue.', 'K2.1'],
  ['contract, yolo', 'Scope and versions are checked all the same.', 'K2.2'],
  ['contract, yolo', 'Writes across workspaces are refused.', 'K2.3'],
  ['contract, instructions', 'Replies are tags: states, memory, records.', 'K6.1'],
  [
    'contract, sources',
    'Requirements come from tmp/lkjspapp-main, and are normalised into the documents of the repository.',
    'K6.1',
    {
      except:
        'That repository is not part of Photon. [The protocol](../../docs/dev/xml-protocol.md) is described anew, with the tags and codes that the contract names.',
    },
  ],
  ['contract, determinism', 'Parse failures have stable codes.', 'K7.1', enforced],
  ['contract, determinism', 'Errors in a prompt file fail at the start.', 'K3.3'],
  ['contract, determinism', 'The outcome holds prompt hash and parser version.', 'K7.2'],
];

const manifest: readonly Sentence[] = [
  ['artifact manifest', 'The section is updated after each task.', 'M1'],
  ['artifact manifest', 'A finished output reads COMPLETED.', 'M1'],
  [
    'artifact manifest',
    'Every task is listed, pending ones too; a running one reads RUNNING.',
    'M2',
  ],
  ['artifact manifest', 'The engine reads the table back, and it says what the state says.', 'M10'],
  ['artifact manifest', 'The reading convention tells the agent to read what is relevant.', 'M4'],
  ['artifact manifest', 'It lists tools that there are.', 'M4'],
  ['artifact manifest', 'A second run on the same state changes nothing.', 'M5'],
  ['artifact manifest', 'A missing constitution.md is created, with a warning.', 'M6'],
  ['artifact manifest', 'The engine owns that one section, and touches no other.', 'M4'],
  ['artifact manifest', 'A failure to write is a warning.', 'M7'],
  ['artifact manifest', 'A read-only file is a warning.', 'M7', enforced],
  ['artifact manifest', 'Sub-modules do not inherit the section.', 'M8'],
  [
    'artifact manifest',
    'The engine pushes no artifact into the context: agents read what they need.',
    'M2',
  ],
  [
    'artifact manifest',
    'For Roo Code, get_constitution() of an MCP server returns the merged constitution with the manifest.',
    'M2',
    {
      except:
        'Photon serves no other agent, and so has no MCP server. The prompt of each task holds the merged constitution and the table; other agents read the file.',
    },
  ],
];

/** Every sentence, with an id of the row that shows it and a number: `C3.1a.1`. */
export const sentenceRequirements: Readonly<Record<string, Requirement>> = Object.fromEntries(
  [...Map.groupBy([...constitution, ...fpf, ...contract, ...manifest], ([, , as]) => as)].flatMap(
    ([as, all]) =>
      all.map(
        ([section, demands, , own], i) =>
          [`${as}.${i + 1}`, { section, demands, as, ...own }] as const,
      ),
  ),
);
