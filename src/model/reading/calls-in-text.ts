/** Notices calls that a model wrote into its text, because its endpoint does not read the form of its template. Pure. */
import type { ToolDefinition } from '../turn.ts';

/** The forms by their templates. */
const forms: readonly (readonly [name: string, form: RegExp])[] = [
  // Hermes and Qwen; with <arg_key>, GLM (ollama/ollama#16686)
  ['<tool_call>', /<tool_call>\s*(?:\{|<function=|[\w.:-]+\s*(?:<arg_key>|<\/tool_call>|\n))/],
  // Qwen3-Coder, Llama
  ['<function=…>', /<function=[\w.-]+>/],
  // DeepSeek: full-width, double and plain bars are all seen (cline/cline#13348, lsdefine/GenericAgent#804)
  ['DSML', /<\s*[｜|‖]{1,2}\s*DSML\s*[｜|‖]{1,2}/],
  // Kimi
  ['<|tool_call_begin|>', /<\|tool_calls?(?:_section)?_begin\|>/],
  // Mistral
  ['[TOOL_CALLS]', /\[TOOL_CALLS\]/],
  // Llama 3
  ['<|python_tag|>', /<\|python_tag\|>/],
  // gpt-oss
  ['<|channel|>', /<\|channel\|>\s*commentary\s+to=/],
  // Claude's older form, MiniMax
  ['<invoke>', /<invoke name="/],
];

/** The form of the calls in a text; undefined when there is none. */
export function findCallsInText(
  text: string,
  tools: readonly Pick<ToolDefinition, 'name'>[],
): string | undefined {
  const found = forms.find(([, form]) => form.test(text))?.[0];
  return found ?? (isCallInJson(text, tools) ? 'JSON' : undefined);
}

/** True for a text that is nothing but a call: `{"name": "grep", "arguments": {…}}`, in a fence or not. */
function isCallInJson(text: string, tools: readonly Pick<ToolDefinition, 'name'>[]): boolean {
  const inside = /^\s*(?:```(?:json)?\s*\n)?(\{.*\})(?:\s*\n\s*```)?\s*$/s.exec(text)?.[1];
  if (inside === undefined) return false;
  try {
    const value: Readonly<Record<string, unknown>> = JSON.parse(inside);
    const args = value.arguments ?? value.parameters;
    return tools.some(({ name }) => name === value.name) && typeof args === 'object';
  } catch {
    return false;
  }
}
