/** An agent profile: protocol, memory, segments and limits, all of it data, and the templates that all profiles share. */
import * as z from 'zod';
import { PhotonError } from '../../base/codes.ts';
import { digest } from '../../base/digest.ts';
import { protocolNames } from '../../model/protocols/protocol.ts';
import type { RetrySchedule } from '../../model/retry.ts';
import { fillPlaces, type PromptFile, parsePromptFile, parseTemplates } from './prompt-file.ts';

/** Every text that the engine sends to a model, and the fields that each may name. */
export const templateFields = {
  nobody: [],
  task: ['asked_by', 'text'],
  plan_only: [],
  answer_only: [],
  review_only: [],
  look_only: [],
  review_report: ['schema'],
  approved_plan: ['plan'],
  test_command: ['command'],
  context: ['label', 'author', 'text'],
  images: ['count'],
  images_left_out: ['count'],
  map: ['text'],
  advice: ['text'],
  instructions: ['files'],
  instruction: ['path', 'scope', 'text'],
  data: ['mark', 'text'],
  skills: ['skills'],
  skill: ['name', 'description'],
  other_skills: ['names'],
  more_skills: ['count'],
  active_skill: ['name', 'description', 'tools'],
  no_tools: [],
  enforced: ['bounds'],
  constraints: ['constraints'],
  constraint: ['text'],
  interface: ['text'],
  role: ['text'],
  input: ['text'],
  steps: ['steps'],
  step: ['number', 'text'],
  output: ['text'],
  success: ['text'],
  abstain: ['text'],
  inactive_skill: ['name'],
  tools: ['tools'],
  refusal: ['code', 'evidence', 'hint'],
  strict_reads: [],
  not_run: ['cause'],
  repeated: ['times', 'most'],
  failure: ['error'],
  calls_left_out: ['made', 'total'],
  reason_argument: [],
  unreadable_call: ['quoted'],
  calls_in_tags: ['tools'],
  read_together: ['number'],
  dropped_result: ['tool', 'bytes', 'round'],
  dropped_read: ['lines', 'round'],
  dropped_rounds: ['rounds', 'read'],
  shown_above: ['lines'],
  same_result: ['round'],
  memory: ['entries'],
  memory_entry: ['key', 'value'],
  no_memory: [],
  states: ['states'],
  results: ['results'],
  result: ['number', 'tool', 'arguments', 'text'],
  no_results: [],
  cut: ['bytes'],
  repair_system: [],
  repair: ['problems', 'reply'],
} as const satisfies Record<string, readonly string[]>;

export type TemplateName = keyof typeof templateFields;

export type Templates = Readonly<Record<TemplateName, string>>;

const whole = (min: number, max: number, about: string) =>
  z.int().min(min).max(max).optional().describe(about);

/** The form of a profile file. */
export const profileSchema = () =>
  z
    .strictObject({
      $schema: z.string().optional().describe('Address of this schema, for editors.'),
      agent_name: z.string().min(1).max(80),
      version: z.string().min(1).max(40),
      protocol: z
        .enum(protocolNames)
        .optional()
        .describe(
          'native: tool calls of the endpoint (default); xml: instruction tags in the text (default in kjxlkj-agent).',
        ),
      memory: z
        .enum(['transcript', 'ram'])
        .optional()
        .describe(
          'transcript: the bounded conversation (default); ram: key-value memory and the results of the last round (default in kjxlkj-agent).',
        ),
      default_mode: z
        .enum(['reviewed', 'review', 'yolo'])
        .optional()
        .describe(
          'What happens to changes of records when no setting says it: reviewed (default; review is the same) or yolo.',
        ),
      mode: z
        .enum(['reviewed', 'review', 'yolo'])
        .optional()
        .describe('Another spelling of default_mode.'),
      records: z
        .boolean()
        .optional()
        .describe(
          'true: the agent has the record tools unless memory.records says otherwise. Default: true in kjxlkj-agent, false in others.',
        ),
      retries: z
        .enum(['jittered', 'fixed'])
        .optional()
        .describe(
          'Waits before a failed model request is repeated: jittered (default), or fixed: 0.5, 1 and 2 seconds.',
        ),
      allowed_tags: z
        .array(z.string().min(1).max(80))
        .max(100)
        .optional()
        .describe(
          'Tools that the agent may use; when left out, all that its memory has a use for.',
        ),
      segments: z
        .array(
          z.strictObject({
            condition: z
              .string()
              .regex(/^[a-z][a-z0-9_]{0,39}$/, 'default, or a state: a-z, 0-9, _')
              .describe('default, or the state in which the prompt is sent.'),
            prompt: z.string().min(1).max(20_000),
          }),
        )
        .min(1)
        .max(100),
      limits: z
        .strictObject({
          rounds: whole(1, 1000, 'Most rounds; the setting max-rounds holds, too. Default 100.'),
          parse_repairs: whole(0, 2, 'Most repairs of one reply that cannot be read. Default 2.'),
          transcript_bytes: whole(
            2000,
            10_000_000,
            'Most bytes of the conversation. Default 120000.',
          ),
          result_bytes: whole(
            1000,
            1_000_000,
            'Most bytes of the results of a round. Default 48000.',
          ),
          ram_entries: whole(1, 1000, 'Most entries of the memory. Default 64.'),
          ram_bytes: whole(100, 262_144, 'Most bytes of the memory. Default 16384.'),
        })
        .optional(),
    })
    .describe('Agent profile of Photon');

/** A parsed profile. */
export interface Profile {
  readonly agentName: string;
  readonly version: string;
  /** sha256 over the shared templates, the texts of tasks and the file. */
  readonly sha256: string;
  readonly protocol: (typeof protocolNames)[number];
  readonly memory: 'transcript' | 'ram';
  readonly defaultMode: 'reviewed' | 'yolo';
  /** True: the agent has the record tools by default. */
  readonly records: boolean;
  /** True: the first prompt offers no records, because the agent asks for them. */
  readonly recordsOnRequest: boolean;
  readonly retries: RetrySchedule;
  /** Undefined: every tool that the profile can use. */
  readonly allowedTags: readonly string[] | undefined;
  readonly segments: readonly { readonly condition: string; readonly prompt: string }[];
  readonly templates: Templates;
  readonly limits: {
    readonly rounds: number;
    readonly parseRepairs: number;
    readonly transcriptBytes: number;
    readonly resultBytes: number;
    readonly ramEntries: number;
    readonly ramBytes: number;
  };
}

/** The texts that every profile shares. */
export interface SharedPrompts {
  readonly templates: PromptFile;
  /** The texts of tasks; the hash of the prompt covers them. */
  readonly tasks: PromptFile;
}

/**
 * Reads a profile over the shared texts. `tools` are the names that allowed_tags may hold.
 * @throws PhotonError `PROMPT_INVALID` with file and JSON pointer (RFC 6901) of each mistake.
 */
export function parseProfile(
  file: PromptFile,
  shared: SharedPrompts,
  tools: readonly string[],
): Profile {
  const templates = parseTemplates(templateFields, shared.templates);
  const data = parsePromptFile(profileSchema, file);
  requireIdentity(file.path, data);
  const unknown = (data.allowed_tags ?? []).findIndex(name => !tools.includes(name));
  if (unknown >= 0)
    throw new PhotonError(
      'PROMPT_INVALID',
      `${file.path}: /allowed_tags/${unknown}: there is no tool of this name`,
    );
  const isContract = data.agent_name === contractAgent;
  return {
    agentName: data.agent_name,
    version: data.version,
    sha256: digest([shared.templates, shared.tasks, file].map(f => f.text).join('\0')),
    protocol: data.protocol ?? (isContract ? 'xml' : 'native'),
    memory: data.memory ?? (isContract ? 'ram' : 'transcript'),
    defaultMode: (data.default_mode ?? data.mode) === 'yolo' ? 'yolo' : 'reviewed',
    records: data.records ?? isContract,
    recordsOnRequest: isContract,
    retries: data.retries ?? (isContract ? 'fixed' : 'jittered'),
    allowedTags: data.allowed_tags,
    segments: data.segments,
    templates,
    limits: {
      rounds: data.limits?.rounds ?? 100,
      parseRepairs: data.limits?.parse_repairs ?? 2,
      transcriptBytes: data.limits?.transcript_bytes ?? 120_000,
      resultBytes: data.limits?.result_bytes ?? 48_000,
      ramEntries: data.limits?.ram_entries ?? 64,
      ramBytes: data.limits?.ram_bytes ?? 16_384,
    },
  };
}

/** The agent whose name stands for a contract (docs/prompts.md). */
const contractAgent = 'kjxlkj-agent';

/** A file of this name holds this agent, and this agent is what its contract says. */
function requireIdentity(path: string, data: z.infer<ReturnType<typeof profileSchema>>): void {
  const mistake = (key: string, value: string) =>
    new PhotonError('PROMPT_INVALID', `${path}: /${key}: must be ${value} in ${contractAgent}`);
  const named = path.split('/').at(-1) === `${contractAgent}.json`;
  if (named && data.agent_name !== contractAgent) throw mistake('agent_name', contractAgent);
  const isYolo = [data.default_mode, data.mode]
    .filter(mode => mode !== undefined)
    .map(mode => mode === 'yolo');
  if (new Set(isYolo).size > 1)
    throw new PhotonError('PROMPT_INVALID', `${path}: /mode: differs from /default_mode`);
  if (data.agent_name !== contractAgent) return;
  if ((data.protocol ?? 'xml') !== 'xml') throw mistake('protocol', 'xml');
  if ((data.memory ?? 'ram') !== 'ram') throw mistake('memory', 'ram');
}

/** Fills the fields of a template. Values are inserted as they are and never expanded again. */
export function fill<N extends TemplateName>(
  templates: Templates,
  name: N,
  values: Readonly<Record<(typeof templateFields)[N][number], string | number>>,
): string {
  return fillPlaces(templates[name], values);
}
