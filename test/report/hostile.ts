/** Texts that attack whoever shows them, and a task and an outcome that hold one in every field. */
import fc from 'fast-check';
import type { Outcome } from '../../src/base/outcome.ts';
import type { Task } from '../../src/base/task.ts';
import { foundBySearch } from '../../src/repair/messages.ts';

export const evil = [
  '@octocat @org/team',
  'Fixes #1, closes owner/repo#2, GH-3',
  '/merge\n/approve',
  '<!-- photon:task=other --> <script>x</script> <details>',
  '![x](https://evil.example/x.png) [l](https://evil.example) https://evil.example www.evil.example a@b.example',
  '`````` ``` ` ``',
  '```\n@octocat\n```\n# Heading\n- [ ] task\n| a | b |\n|---|---|',
  '\u202egnp.exe\u200b\u{e0041}',
  '$$\\href{https://evil.example}{x}$$ ```mermaid',
  '[^1]: note\n\n[x]: https://evil.example\n\n[x]',
  'a'.repeat(1_000_000),
];

export const task = (prompt: string): Task => ({
  id: 'fix-5-12345678',
  trigger: 'comment',
  prompt,
  context: [],
  askedBy: '@evil',
  repository: 'o/r',
  baseRef: 'main',
  hiddenRemoved: 0,
  conversation: { kind: 'issue', number: 5 },
});

export const edit = (input: string) => ({
  template: 'comparison',
  kind: 'another comparison operator',
  source: 'PAR (Kim et al. 2013)',
  path: input,
  line: 3,
  before: input,
  after: input,
});

export function outcome(input: string, status: Outcome['status'] = 'failed'): Outcome {
  const run = {
    command: input,
    exitCode: 1,
    limit: null,
    refusedConnections: 0,
    durationMs: 1200,
    outputTail: input,
    failedCases: [{ name: input, text: input }],
    passed: false,
    cases: { passed: 1, failed: 2, skipped: 0 },
  };
  return {
    status,
    code: 'VERIFY_FAILED',
    phase: 'VERIFY',
    message: input,
    statement: input,
    summary: input,
    choices: [input],
    ...(status === 'answered' ? { answer: input } : {}),
    schema: 1,
    runId: '20260101000000-abcdef01',
    photon: '2.0.0',
    task: { id: 'fix-5-12345678', trigger: 'comment', askedBy: '@evil' },
    repository: 'o/r',
    base: { ref: 'main', commit: '1'.repeat(40) },
    constitution: { version: '2.0', sha256: '2'.repeat(64) },
    prompt: {
      agent: 'photon',
      version: '2.0.0',
      sha256: '3'.repeat(64),
      protocol: 'native',
      parser: 'tool_calls_v2',
      memory: 'transcript',
    },
    engine: 'openai',
    model: input,
    provider: 'openai',
    repair: {
      failing: 1,
      suspects: [{ path: input, line: 3, score: 1 }],
      candidates: 900,
      tried: 600,
      perSecond: 200,
      edit: edit(input),
      alternatives: [edit(input)],
      warnings: [foundBySearch],
    },
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 60_000,
    usage: {
      rounds: 3,
      toolCalls: 5,
      inputTokens: 1000,
      cachedTokens: 0,
      outputTokens: 100,
      cost: 0.01,
      models: [],
    },
    patch: {
      files: [
        {
          path: input,
          change: 'modified',
          added: 1,
          removed: 1,
          flag: 'a file that steers builds, owners or tools',
        },
      ],
      digest: '4'.repeat(64),
      tree: '5'.repeat(40),
    },
    verification: {
      require: 'pass',
      passed: false,
      baseline: run,
      after: run,
      withBaseTests: run,
      regressions: [],
      patchDigest: '4'.repeat(64),
    },
    records: {
      mode: 'reviewed',
      digest: '6'.repeat(64),
      changes: [
        {
          operation: 'update',
          id: 'r-1',
          kind: '',
          title: input,
          text: input,
          tags: [input],
          seen: 2,
        },
      ],
    },
    decisions: [
      { code: 'STALE_READ', state: 'abstain', section: '§3.3', tool: 'apply_patch', count: 2 },
    ],
    degraded: true,
    skills: [{ name: 'code-modify', version: '1.0.0', activations: 1, rounds: 3, calls: 4 }],
    sandbox: {
      launcher: 'plain',
      guarantees: [
        { name: 'network', holds: false },
        { name: 'writes', holds: true },
      ],
      egress: {
        hosts: ['registry.example.org'],
        connections: [
          {
            ...{ caller: 'setup', host: 'registry.example.org', port: 443, allowed: true },
            ...{ reason: '', connections: 3, bytesIn: 2000, bytesOut: 300 },
          },
          {
            ...{ caller: 'verify', host: input, port: 80, allowed: false },
            ...{ reason: 'not in the setting network', connections: 1, bytesIn: 0, bytesOut: 0 },
          },
        ],
      },
    },
    hiddenRemoved: 3,
    notes: [input],
    ledger: { entries: 9, head: '6'.repeat(64) },
    delivered: { kind: 'none', operation: 'none' },
    hint: 'Read the output. The patch is kept in the run folder.',
  };
}

/** Texts that are put together from those, and any others. */
export const untrusted = fc.oneof(
  fc
    .array(
      fc.constantFrom(
        ...evil.slice(0, -1),
        '\n',
        '`',
        '```',
        '~~~',
        '|',
        '<',
        '>',
        '*',
        ' ',
        'word',
        '\\',
        '#',
        '-->',
        '<!--',
        '</details>',
        '```text\n',
      ),
      { maxLength: 12 },
    )
    .map(p => p.join('')),
  fc.string({ unit: 'binary', maxLength: 200 }),
);
