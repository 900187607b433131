/** What the inputs of Claude Code Action are at Photon. */
import {
  type Counterpart,
  type Counterparts,
  fileOfRepository,
  notes,
  type SourceAgent,
  shared,
  wholeNumber,
} from './source-agent.ts';

const task: Counterpart = { to: 'task' };
const rounds = wholeNumber('max-rounds');
const { tools, instructions, servers, environment, log, cloud, version } = notes;
const texts = 'conversation and untrusted-text say whose texts the model sees.';
const ownApp = 'The token tells whose commits they are: use a GitHub App (app-id).';

/** One id of the key exchange with Anthropic. */
const exchange = (id: string): Counterpart => ({
  to: 'key-exchange-ids',
  read: value => ({ 'key-exchange': 'anthropic', 'key-exchange-ids': `${id}=${value}` }),
});

/** Flags of the program, as its reference lists them. */
const flags: Counterparts = {
  '--model': shared.modelName,
  '--fallback-model': shared.fallbackModels,
  '--max-turns': rounds,
  '--max-budget-usd': wholeNumber('max-cost'),
  '--effort': { to: 'reasoning-effort' },
  '--add-dir': shared.readableFolders,
  '--json-schema': notes.schema,
  '--allowedTools': tools,
  '--allowed-tools': tools,
  '--disallowedTools': tools,
  '--disallowed-tools': tools,
  '--permission-mode': tools,
  '--system-prompt': instructions,
  '--append-system-prompt': instructions,
  '--mcp-config': servers,
  '--resume': notes.session,
  '--verbose': log,
  '--debug': log,
};

export const claudeCodeAction: SourceAgent = {
  name: 'claude-code-action',
  title: 'Claude Code Action',
  uses: /^anthropics\/claude-code-(?:base-)?action(?:\/base-action)?$/,
  source: 'https://github.com/anthropics/claude-code-action/blob/main/action.yml',
  inputs: {
    trigger_phrase: shared.triggerWords,
    assignee_trigger: {
      to: 'trigger-assignee',
      read: value => value.replace(/^@/, ''),
    },
    label_trigger: {
      to: 'trigger-label',
      // the condition of the job compares with it
      read: value => (/\$\{\{|\p{Cc}/u.test(value) ? undefined : value),
      note: 'The label itself must be here. Without one, it is photon.',
    },
    base_branch: { to: 'base' },
    branch_prefix: { to: 'branch-prefix' },
    branch_name_template:
      'The name of a branch is branch-prefix and the id of its task, so the same task has the same branch.',
    allowed_bots: shared.botNames,
    allowed_non_write_users:
      'Only people with write access give commands. Set the label on an issue by somebody else.',
    include_comments_by_actor: texts,
    exclude_comments_by_actor: texts,
    prompt: task,
    prompt_file: fileOfRepository('task-file'),
    settings: {
      holds: 'json',
      entries: {
        model: shared.modelName,
        env: environment,
        permissions: tools,
        hooks: 'Photon starts no hooks. setup-command runs before the tests.',
        mcpServers: servers,
      },
    },
    anthropic_api_key: shared.apiKey,
    claude_code_oauth_token:
      'It is the token of a subscription to another program. Photon needs a key of the API, in api-key.',
    anthropic_federation_rule_id: exchange('federation_rule_id'),
    anthropic_organization_id: exchange('organization_id'),
    anthropic_service_account_id: exchange('service_account_id'),
    anthropic_workspace_id: exchange('workspace_id'),
    anthropic_oidc_audience: { to: 'key-exchange-audience' },
    github_token: shared.token,
    use_bedrock: cloud,
    use_vertex: cloud,
    use_foundry: cloud,
    claude_args: { holds: 'arguments', entries: flags },
    additional_permissions: {
      here: 'The job has the permissions that Photon uses, and no others.',
    },
    use_sticky_comment: {
      here: 'Each request has one comment, which is updated in place; so is the review of a pull request.',
    },
    track_progress: { here: 'The comment of a request shows its phases while it runs.' },
    classify_inline_comments: {
      here: 'Findings are posted as one review, those without proof are left out.',
    },
    include_fix_links: 'Comment /photon fix on a finding.',
    use_commit_signing: {
      here: 'GitHub signs the commits of an App and of GITHUB_TOKEN; the output commits-verified says so.',
    },
    ssh_signing_key: 'Use a GitHub App: GitHub signs its commits.',
    bot_id: ownApp,
    bot_name: ownApp,
    display_report: { here: 'The summary of the job shows each run.' },
    show_full_output: log,
    plugins:
      'Skills add knowledge and tools (docs/skills.md). photon skills adopt checks foreign ones.',
    plugin_marketplaces: 'Skills come from the repository, by agent.skillRoots.',
    path_to_claude_code_executable: version,
    path_to_bun_executable: version,
    use_node_cache: 'actions/cache before the step keeps what setup-command downloads.',
    // up to v0
    mode: { here: 'The event and the words of a command decide.' },
    direct_prompt: task,
    override_prompt: task,
    custom_instructions: instructions,
    max_turns: rounds,
    model: shared.modelName,
    anthropic_model: shared.modelName,
    fallback_model: shared.fallbackModels,
    allowed_tools: tools,
    disallowed_tools: tools,
    mcp_config: servers,
    claude_env: environment,
    timeout_minutes: wholeNumber('timeout-minutes'),
  },
  defaults: { trigger_phrase: '@claude', label_trigger: 'claude' },
  outputs: {
    conclusion: 'status',
    execution_file: 'ledger-path',
    branch_name: 'branch',
    structured_output: 'report',
    session_id: undefined,
    github_token: undefined,
  },
};
