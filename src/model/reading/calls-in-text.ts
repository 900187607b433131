/** Calls that a model wrote into its text, because its endpoint does not read the form of its template. Pure. */
import { asObject, parseJson, parseObject } from '../../base/schema-issue.ts';
import { plainProse } from '../protocols/xml-reader.ts';
import type { ToolCall, ToolDefinition, Turn } from '../turn.ts';
import { readCall } from './read-call.ts';

interface WrittenForm {
  readonly name: string;
  /** Matches a text with such a call, also where the call is cut. */
  readonly mark: RegExp;
  /** Matches each whole call: its name, and its arguments as JSON or as parameters. Without a name, the JSON holds it. */
  readonly call: RegExp;
}

/** The forms by their templates. */
const forms: readonly WrittenForm[] = [
  {
    // Hermes and Qwen; with <arg_key>, GLM (ollama/ollama#16686)
    name: '<tool_call>',
    mark: /<tool_call>\s*(?:\{|<function=|[\w.:-]+\s*(?:<arg_key>|<\/tool_call>|\n))/,
    call: /<tool_call>\s*(?:(?<name>[\w.:-]+)\s*)?(?<body>(?:\{|<arg_key>).*?|)<\/tool_call>/gs,
  },
  {
    // Qwen3-Coder, Llama
    name: '<function=…>',
    mark: /<function=[\w.-]+>/,
    call: /<function=(?<name>[\w.:-]+)>(?<body>.*?)<\/function>/gs,
  },
  {
    // DeepSeek: full-width, double and plain bars are all seen (cline/cline#13348, lsdefine/GenericAgent#804)
    name: 'DSML',
    mark: /<\s*[｜|‖]{1,2}\s*DSML\s*[｜|‖]{1,2}/,
    call: /<[\s｜|‖]*DSML[\s｜|‖]*invoke name="(?<name>[^"]+)">(?<body>.*?)<\/[\s｜|‖]*DSML[\s｜|‖]*invoke>/gs,
  },
  {
    // Kimi
    name: '<|tool_call_begin|>',
    mark: /<\|tool_calls?(?:_section)?_begin\|>/,
    call: /<\|tool_call_begin\|>\s*(?<name>[\w.:-]+)\s*<\|tool_call_argument_begin\|>(?<body>.*?)<\|tool_call_end\|>/gs,
  },
  {
    // Mistral
    name: '[TOOL_CALLS]',
    mark: /\[TOOL_CALLS\]/,
    call: /\[TOOL_CALLS\]\s*(?:(?<name>[\w.:-]+)\s*\[ARGS\])?(?<body>(?:(?!\[TOOL_CALLS\]).)*)/gs,
  },
  {
    // Llama 3
    name: '<|python_tag|>',
    mark: /<\|python_tag\|>/,
    call: /<\|python_tag\|>(?<body>\{.*\})/gs,
  },
  {
    // gpt-oss
    name: '<|channel|>',
    mark: /<\|channel\|>\s*commentary\s+to=/,
    call: /<\|channel\|>\s*commentary\s+to=(?<name>[\w.:-]+)[^{]*?<\|message\|>(?<body>\{.*?\})\s*(?:<\|call\|>|$)/gs,
  },
  {
    // Claude's older form, MiniMax
    name: '<invoke>',
    mark: /<invoke name="/,
    call: /<invoke name="(?<name>[^"]+)">(?<body>.*?)<\/invoke>/gs,
  },
];

/** A text that is nothing but a call: `{"name": "grep", "arguments": {…}}`, in a fence or not. */
const alone = /^\s*(?:```(?:json)?\s*\n)?(?<body>\{.*\})(?:\s*\n\s*```)?\s*$/gs;

/** The form of the calls in a text; undefined when there is none. */
export function findCallsInText(
  text: string,
  tools: readonly Pick<ToolDefinition, 'name'>[],
): string | undefined {
  const found = forms.find(({ mark }) => mark.test(text))?.name;
  const [inJson] = [...text.matchAll(alone)].flatMap(readWritten);
  const isAlone =
    parseObject(inJson?.argumentsText ?? '') !== undefined &&
    tools.some(({ name }) => name === inJson?.name);
  return found ?? (isAlone ? 'JSON' : undefined);
}

const thought = /^(?:(?!<think).)*<\/think(?:ing)?>|<(think|thinking)>.*?<\/\1>/gs;
const wrapper =
  /<\/?(?:[\s｜|‖]*DSML[\s｜|‖]*)?(?:tool_call|function_call)s?>|<\|tool_calls_section_(?:begin|end)\|>/g;

/**
 * The calls that a text holds in the form of a template. Undefined where there is none, where they have several forms, and where
 * one of them names no tool or has arguments that cannot be read.
 */
export function readCallsInText(
  text: string,
  tools: readonly ToolDefinition[],
): Pick<Turn, 'text' | 'calls' | 'readAs'> | undefined {
  const said = text.replace(thought, '');
  const all = [...forms, { name: 'JSON', call: alone }];
  const [form, another] = all.filter(({ call }) => said.search(call) >= 0);
  if (form === undefined || another !== undefined) return undefined;
  const found = [...said.matchAll(form.call)].flatMap(readWritten);
  const calls = found.map((each, i) => readCall({ ...each, id: `call_${i + 1}` }, tools).call);
  const names = new Set(tools.flatMap(({ name, aliases = [] }) => [name, ...aliases]));
  const isWhole = calls.every(
    ({ name, argumentsText }) => names.has(name) && parseObject(argumentsText) !== undefined,
  );
  if (!isWhole || calls.length === 0) return undefined;
  return {
    text: plainProse(text.replace(form.call, '').replace(wrapper, '')),
    calls,
    readAs: calls.map(({ name }) => `${name} (${form.name} in text)`),
  };
}

/** One argument after the other; the value of Qwen's form has a line break at both ends. */
const parameter =
  /<(?:parameter=(?<plain>[\w-]+)|(?:[\s｜|‖]*DSML[\s｜|‖]*)?parameter name="(?<quoted>[^"]+)"[^>]*|arg_key>\s*(?<key>[^<]+?)\s*<\/arg_key)>(?:\s*<arg_value>)?(?<value>.*?)<\/(?:[\s｜|‖]*DSML[\s｜|‖]*parameter|parameter|arg_value)>/gs;

/** The calls in one match of a form. A call whose arguments cannot be read keeps their text. */
function readWritten({ groups = {} }: RegExpMatchArray): readonly Omit<ToolCall, 'id'>[] {
  const { name, body = '' } = groups;
  if (name === undefined)
    return [parseJson(body)].flat().map(each => {
      const { name: called, arguments: given, parameters = given } = asObject(each);
      return { name: String(called), argumentsText: JSON.stringify(parameters ?? null) };
    });
  const rest = body.replace(parameter, '').trim();
  if (rest !== '') return [{ name, argumentsText: body.trim() }];
  const values = [...body.matchAll(parameter)].map(({ groups: each = {} }) => {
    const { plain, quoted, key, value = '' } = each;
    const text = plain === undefined ? value : value.replace(/^\n|\n$/g, '');
    return [plain ?? quoted ?? key ?? '', text] as const;
  });
  return [{ name, argumentsText: JSON.stringify(Object.fromEntries(values)) }];
}
