/** What the inputs of Claude Code Action are at Photon. */

import {
  apiKey,
  botNames,
  branchNames,
  fallbackModels,
  fileOfRepository,
  modelName,
  notes,
  readableFolders,
  token,
  triggerWords,
  wholeNumber,
} from './shared-notes.ts';
import type { Counterpart, Counterparts, SourceAgent } from './source-agent.ts';

const task: Counterpart = { to: 'task' };
const tools: Counterpart = { none: notes.tools };
const instructions: Counterpart = { none: notes.instructions };
const servers: Counterpart = { none: notes.servers };
const log: Counterpart = { none: notes.log };
const cloud: Counterpart = { none: notes.cloud };
const rounds = wholeNumber('max-rounds');

/** One id of the key exchange with Anthropic. */
const exchange = (id: string): Counterpart => ({
  to: 'key-exchange-ids',
  read: value => ({ 'key-exchange': 'anthropic', 'key-exchange-ids': `${id}=${value}` }),
});

/** Flags of the program, as its reference lists them. */
const flags: Counterparts = {
  '--model': modelName,
  '--fallback-model': fallbackModels,
  '--max-turns': rounds,
  '--max-budget-usd': wholeNumber('max-cost'),
  '--effort': { to: 'reasoning-effort' },
  '--add-dir': readableFolders,
  '--json-schema': { none: 'Put the schema into a file, and name it in output-schema.' },
  '--allowedTools': tools,
  '--allowed-tools': tools,
  '--disallowedTools': tools,
  '--disallowed-tools': tools,
  '--permission-mode': tools,
  '--system-prompt': instructions,
  '--append-system-prompt': instructions,
  '--mcp-config': servers,
  '--resume': { none: notes.session },
  '--verbose': log,
  '--debug': log,
};

export const claudeCodeAction: SourceAgent = {
  name: 'claude-code-action',
  title: 'Claude Code Action',
  uses: /^anthropics\/claude-code-(?:base-)?action(?:\/base-action)?$/,
  source: 'https://github.com/anthropics/claude-code-action/blob/main/action.yml',
  inputs: {
    trigger_phrase: triggerWords,
    assignee_trigger: {
      to: 'trigger-assignee',
      read: value => ({ 'trigger-assignee': value.replace(/^@/, '') }),
    },
    label_trigger: {
      to: 'trigger-label',
      // the condition of the job compares with it
      read: value => (/\$\{\{|\p{Cc}/u.test(value) ? undefined : { 'trigger-label': value }),
      note: 'The label itself must be here. Without one, it is photon.',
    },
    base_branch: { to: 'base' },
    branch_prefix: branchNames,
    branch_name_template: {
      none: 'The name of a branch is branch-prefix and the id of its task, so the same task has the same branch.',
    },
    allowed_bots: botNames,
    allowed_non_write_users: {
      none: 'Only people with write access give commands. Set the label on an issue by somebody else.',
    },
    include_comments_by_actor: {
      none: 'conversation and untrusted-text say whose texts the model sees.',
    },
    exclude_comments_by_actor: {
      none: 'conversation and untrusted-text say whose texts the model sees.',
    },
    prompt: task,
    prompt_file: fileOfRepository('task-file'),
    settings: {
      holds: 'json',
      entries: {
        model: modelName,
        env: { none: notes.environment },
        permissions: tools,
        hooks: { none: 'Photon starts no hooks. setup-command runs before the tests.' },
        mcpServers: servers,
      },
    },
    anthropic_api_key: apiKey,
    claude_code_oauth_token: {
      none: 'It is the token of a subscription to another program. Photon needs a key of the API, in api-key.',
    },
    anthropic_federation_rule_id: exchange('federation_rule_id'),
    anthropic_organization_id: exchange('organization_id'),
    anthropic_service_account_id: exchange('service_account_id'),
    anthropic_workspace_id: exchange('workspace_id'),
    anthropic_oidc_audience: { to: 'key-exchange-audience' },
    github_token: token,
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
    include_fix_links: { none: 'Comment /photon fix on a finding.' },
    use_commit_signing: {
      here: 'GitHub signs the commits of an App and of GITHUB_TOKEN; the output commits-verified says so.',
    },
    ssh_signing_key: { none: 'Use a GitHub App: GitHub signs its commits.' },
    bot_id: { none: 'The token tells whose commits they are: use a GitHub App (app-id).' },
    bot_name: { none: 'The token tells whose commits they are: use a GitHub App (app-id).' },
    display_report: { here: 'The summary of the job shows each run.' },
    show_full_output: log,
    plugins: {
      none: 'Skills add knowledge and tools (docs/skills.md). photon skills adopt checks foreign ones.',
    },
    plugin_marketplaces: { none: 'Skills come from the repository, by agent.skillRoots.' },
    path_to_claude_code_executable: { none: notes.version },
    path_to_bun_executable: { none: notes.version },
    use_node_cache: { none: 'setup-cache keeps the result of setup-command.' },
    // up to v0
    mode: { here: 'The event and the words of a command decide.' },
    direct_prompt: task,
    override_prompt: task,
    custom_instructions: instructions,
    max_turns: rounds,
    model: modelName,
    anthropic_model: modelName,
    fallback_model: fallbackModels,
    allowed_tools: tools,
    disallowed_tools: tools,
    mcp_config: servers,
    claude_env: { none: notes.environment },
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
