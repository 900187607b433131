/** Calls that a model wrote into its text, because its endpoint does not read the form of its template. Pure. */
import { asObject, parseJson, parseObject } from '../../base/schema-issue.ts';
import { plainProse } from '../protocols/xml-reader.ts';
import type { ToolCall, ToolDefinition, Turn } from '../turn.ts';
import { readCall } from './read-call.ts';

/**
 * The forms by their templates: what marks a text with such a call, also where the call is cut, and what matches each whole call:
 * its name, and its arguments as JSON or as parameters. Without a name, the JSON holds it.
 */
const forms: readonly (readonly [name: string, mark: RegExp, call: RegExp])[] = [
  // Hermes and Qwen; with <arg_key>, GLM (ollama/ollama#16686)
  [
    '<tool_call>',
    /<tool_call>\s*(?:\{|<function=|[\w.:-]+\s*(?:<arg_key>|<\/tool_call>|\n))/,
    /<tool_call>\s*(?:(?<name>[\w.:-]+)\s*)?(?<body>(?:\{|<arg_key>).*?|)<\/tool_call>/gs,
  ],
  // Qwen3-Coder, Llama
  ['<function=…>', /<function=[\w.-]+>/, /<function=(?<name>[\w.:-]+)>(?<body>.*?)<\/function>/gs],
  // DeepSeek: full-width, double and plain bars are all seen (cline/cline#13348, lsdefine/GenericAgent#804)
  [
    'DSML',
    /<\s*[｜|‖]{1,2}\s*DSML\s*[｜|‖]{1,2}/,
    /<[\s｜|‖]*DSML[\s｜|‖]*invoke name="(?<name>[^"]+)">(?<body>.*?)<\/[\s｜|‖]*DSML[\s｜|‖]*invoke>/gs,
  ],
  // Kimi
  [
    '<|tool_call_begin|>',
    /<\|tool_calls?(?:_section)?_begin\|>/,
    /<\|tool_call_begin\|>\s*(?<name>[\w.:-]+)\s*<\|tool_call_argument_begin\|>(?<body>.*?)<\|tool_call_end\|>/gs,
  ],
  // Mistral
  [
    '[TOOL_CALLS]',
    /\[TOOL_CALLS\]/,
    /\[TOOL_CALLS\]\s*(?:(?<name>[\w.:-]+)\s*\[ARGS\])?(?<body>(?:(?!\[TOOL_CALLS\]).)*)/gs,
  ],
  // Llama 3
  ['<|python_tag|>', /<\|python_tag\|>/, /<\|python_tag\|>(?<body>\{.*\})/gs],
  // gpt-oss
  [
    '<|channel|>',
    /<\|channel\|>\s*commentary\s+to=/,
    /<\|channel\|>\s*commentary\s+to=(?<name>[\w.:-]+)[^{]*?<\|message\|>(?<body>\{.*?\})\s*(?:<\|call\|>|$)/gs,
  ],
  // Claude's older form, MiniMax
  ['<invoke>', /<invoke name="/, /<invoke name="(?<name>[^"]+)">(?<body>.*?)<\/invoke>/gs],
];

/** A text that is nothing but a call: `{"name": "grep", "arguments": {…}}`, in a fence or not. */
const alone = /^\s*(?:```(?:json)?\s*\n)?(?<body>\{.*\})(?:\s*\n\s*```)?\s*$/gs;

/** The form of the calls in a text, or undefined. */
export function findCallsInText(
  text: string,
  tools: readonly Pick<ToolDefinition, 'name'>[],
): string | undefined {
  const found = forms.find(([, mark]) => mark.test(text))?.[0];
  const [inJson] = [...text.matchAll(alone)].flatMap(readWritten);
  const isAlone =
    parseObject(inJson?.argumentsText ?? '') !== undefined &&
    tools.some(({ name }) => name === inJson?.name);
  return found ?? (isAlone ? 'JSON' : undefined);
}

const thought = /^(?:(?!<think).)*<\/think(?:ing)?>|<(think|thinking)>.*?<\/\1>/gs;
const wrapper =
  /<\/?(?:[\s｜|‖]*DSML[\s｜|‖]*)?(?:tool|function)_calls?>|<\|tool_calls_section_(?:begin|end)\|>/g;

/**
 * The calls that a text holds in the form of a template. Undefined without a call, where they have several forms, and where
 * one of them names no tool or has arguments that cannot be read.
 */
export function readCallsInText(
  text: string,
  tools: readonly ToolDefinition[],
): Pick<Turn, 'text' | 'calls' | 'readAs'> | undefined {
  const spoken = text.replace(thought, '');
  const all = [...forms, ['JSON', alone, alone] as const];
  const [form, another] = all.filter(([, , call]) => spoken.search(call) >= 0);
  if (form === undefined || another !== undefined) return undefined;
  const [formName, , written] = form;
  const found = [...spoken.matchAll(written)].flatMap(readWritten);
  const calls = found.map(({ inTags, ...given }, i): ToolCall => {
    const { call } = readCall({ ...given, id: `call_${i + 1}` }, tools);
    // tags hold text alone, so a number in them was sent as what it is; a form of another agent has other names
    const { sentText, ...asSent } = call;
    return inTags && listKeys(sentText) === listKeys(call.argumentsText) ? asSent : call;
  });
  const names = new Set(
    tools.flatMap(({ name, aliases = [], knownAs = aliases }) => [name, ...knownAs]),
  );
  const isWhole = calls.every(
    ({ name, argumentsText }) => names.has(name) && parseObject(argumentsText) !== undefined,
  );
  if (!isWhole || calls.length === 0) return undefined;
  return {
    text: plainProse(text.replace(written, '').replace(wrapper, '')),
    calls,
    readAs: calls.map(
      ({ name, sentText }) =>
        `${name}${sentText === undefined ? '' : ' arguments'} (${formName} in text)`,
    ),
  };
}

const listKeys = (text = '') => Object.keys(asObject(parseJson(text))).join();

/** One argument after the other; the value of Qwen's form has a line break at both ends. */
const parameter =
  /<(?:parameter=(?<plain>[\w-]+)|(?:[\s｜|‖]*DSML[\s｜|‖]*)?parameter name="(?<quoted>[^"]+)"[^>]*|arg_key>\s*(?<key>[^<]+?)\s*<\/arg_key)>(?:\s*<arg_value>)?(?<value>.*?)<\/(?:[\s｜|‖]*DSML[\s｜|‖]*parameter|parameter|arg_value)>/gs;

/** A call as it is written, and whether its arguments stand in tags instead of JSON. */
type WrittenCall = Omit<ToolCall, 'id'> & { readonly inTags: boolean };

/** The calls in one match of a form. A call whose arguments cannot be read keeps their text. */
function readWritten({ groups = {} }: RegExpMatchArray): readonly WrittenCall[] {
  const { name, body = '' } = groups;
  if (name === undefined)
    return [parseJson(body)].flat().map(each => {
      const { name: called, arguments: given, parameters = given } = asObject(each);
      const argumentsText = JSON.stringify(parameters ?? null);
      return { name: String(called), argumentsText, inTags: false };
    });
  const rest = body.replace(parameter, '').trim();
  if (rest !== '') return [{ name, argumentsText: body.trim(), inTags: false }];
  const values = [...body.matchAll(parameter)].map(({ groups: each = {} }) => {
    const { plain, quoted, key, value = '' } = each;
    const text = plain === undefined ? value : value.replace(/^\n|\n$/g, '');
    return [plain ?? quoted ?? key ?? '', text] as const;
  });
  return [{ name, argumentsText: JSON.stringify(Object.fromEntries(values)), inTags: true }];
}
