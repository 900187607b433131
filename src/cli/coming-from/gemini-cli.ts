/** What the inputs of Run Gemini CLI are at Photon. */
import { type Counterpart, notes, type SourceAgent, shared, wholeNumber } from './source-agent.ts';

const vertex =
  'For Vertex AI, set base-url, key-exchange: google and key-exchange-ids (docs/access.md).';
const { tools } = notes;
const telemetry = 'The variables of OpenTelemetry turn on traces and metrics (docs/telemetry.md).';
const known: Counterpart = { here: 'Photon takes it from the event.' };

export const geminiCli: SourceAgent = {
  name: 'gemini-cli',
  title: 'Run Gemini CLI',
  uses: /^google-github-actions\/run-gemini-cli$/,
  source: 'https://github.com/google-github-actions/run-gemini-cli/blob/main/action.yml',
  inputs: {
    prompt: { to: 'task' },
    gemini_api_key: shared.apiKey,
    gemini_model: shared.modelName,
    settings: {
      holds: 'json',
      entries: {
        'model.maxSessionTurns': wholeNumber('max-rounds'),
        maxSessionTurns: wholeNumber('max-rounds'),
        'model.name': shared.modelName,
        model: shared.modelName,
        mcpServers: notes.servers,
        'tools.core': tools,
        'tools.exclude': tools,
        coreTools: tools,
        excludeTools: tools,
        telemetry,
        sandbox: { here: 'Commands run in the sandbox of Photon (docs/sandbox.md).' },
      },
    },
    google_api_key: vertex,
    gcp_location: vertex,
    gcp_project_id: vertex,
    gcp_service_account: vertex,
    gcp_workload_identity_provider: vertex,
    gcp_token_format: vertex,
    gcp_access_token_scopes: vertex,
    use_vertex_ai: vertex,
    use_gemini_code_assist: 'Photon needs a key of the API, in api-key.',
    gemini_cli_version: notes.version,
    gemini_debug: notes.log,
    extensions: notes.skills,
    upload_artifacts: { here: 'The workflow uploads what each run leaves.' },
    use_pnpm: notes.version,
    workflow_name: { here: 'The traces name the workflow.' },
    github_pr_number: known,
    github_issue_number: known,
  },
  defaults: {},
  outputs: { summary: 'answer', error: 'message' },
};
