/**
 * Endpoints whose calls are not as the schema of a tool asks for, though they plainly mean one thing. Each behaves as a
 * public thread describes it.
 */
import type { Body, ModelStep, ScriptedCall, ScriptedTurn } from '../model.ts';
import { countPrompt, type Provider, stream } from './provider.ts';

/** A provider that changes each call on its way. */
function changing(
  name: string,
  source: string,
  change: (call: ScriptedCall) => ScriptedCall,
): Provider {
  return {
    name,
    source,
    reply: (turn, body) => {
      const calls = (turn.calls ?? []).map(change).map((call, index) => ({
        index,
        id: `call_${index}`,
        type: 'function',
        function: {
          name: call.name,
          arguments:
            typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
        },
      }));
      return stream([{ role: 'assistant', content: turn.text ?? '' }, { tool_calls: calls }], {
        finish: 'tool_calls',
        promptTokens: countPrompt(body),
      });
    },
  };
}

/** Every value of the arguments as a text: lists, objects and numbers too. */
export const glm = changing(
  'GLM behind a parser without types',
  'https://github.com/antirez/ds4/issues/569',
  ({ name, arguments: args }) => ({
    name,
    arguments: Object.fromEntries(
      Object.entries(args).map(([key, value]) => [
        key,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    ),
  }),
);

export const encodedTwice = changing(
  'arguments that are encoded twice',
  'https://github.com/antinomyhq/forgecode/issues/2764',
  ({ name, arguments: args }) => ({
    name,
    arguments: JSON.stringify(JSON.stringify(args)),
  }),
);

export const templateSuffix = changing(
  'gpt-oss behind vLLM, a mark of the template behind the name',
  'https://github.com/vllm-project/vllm/issues/32587',
  ({ name, arguments: args }) => ({ name: `${name}<|channel|>commentary`, arguments: args }),
);

export const prefixedNames = changing(
  'names with the place that the model calls from, and with their number',
  'https://github.com/vllm-project/vllm/issues/32587',
  ({ name, arguments: args }) => ({ name: `functions.${name}:0`, arguments: args }),
);

/** The same call in the form of a template, as text. */
const written: Readonly<Record<string, (name: string, args: object) => string>> = {
  '<tool_call>': (name, args) =>
    `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`,
  '<function=…>': (name, args) => {
    const parameters = Object.entries(args).map(
      ([key, value]) =>
        `<parameter=${key}>\n${typeof value === 'string' ? value : JSON.stringify(value)}\n</parameter>`,
    );
    return `<tool_call>\n<function=${name}>\n${parameters.join('\n')}\n</function>\n</tool_call>`;
  },
  'GLM, <arg_key>': (name, args) => {
    const pairs = Object.entries(args).map(
      ([key, value]) =>
        `<arg_key>${key}</arg_key>\n<arg_value>${typeof value === 'string' ? value : JSON.stringify(value)}</arg_value>`,
    );
    return `<tool_call>${name}\n${pairs.join('\n')}\n</tool_call>`;
  },
  'Kimi, <|tool_call_begin|>': (name, args) =>
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.${name}:0<|tool_call_argument_begin|>${JSON.stringify(args)}<|tool_call_end|><|tool_calls_section_end|>`,
  DSML: (name, args) => {
    const parameters = Object.entries(args).map(
      ([key, value]) =>
        `<｜DSML｜parameter name="${key}" string="${typeof value === 'string'}">${typeof value === 'string' ? value : JSON.stringify(value)}</｜DSML｜parameter>`,
    );
    return `<｜DSML｜tool_calls>\n<｜DSML｜invoke name="${name}">\n${parameters.join('\n')}\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>`;
  },
};

export const writtenForms = Object.keys(written);

/** The text of a turn, with its calls in the form of a template. */
function writeTurn(form: string, { text = '', calls = [] }: ScriptedTurn): ModelStep {
  const asText = written[form];
  if (asText === undefined) throw new Error(`no form ${form}`);
  return { text: [text, ...calls.map(c => asText(c.name, Object(c.arguments)))].join('\n') };
}

/**
 * An endpoint that does not read the form in which its model calls tools (ollama/ollama#16686, cline/cline#13348): as long
 * as a request has tools, the calls of the reply stand in its text. Without tools, the model follows its prompt.
 */
export function writesIntoText(form: string, turns: readonly ScriptedTurn[]) {
  let answered = 0;
  return (body: Body): ModelStep => {
    const turn = turns[body.tools === undefined ? answered : 0];
    if (turn === undefined) return { status: 400, body: { error: { message: 'used up' } } };
    if (body.tools === undefined) {
      answered += 1;
      return turn;
    }
    return writeTurn(form, turn);
  };
}

/** Gemini's compatible endpoint, whose model writes a call that the endpoint itself cannot read, so many times. */
export function malformedCalls(times: number): Provider {
  let left = times;
  return {
    name: `Gemini, ${times} malformed calls`,
    source: 'https://github.com/googleapis/python-genai/issues/1836',
    refuse: () => {
      if (left <= 0) return null;
      left -= 1;
      const finish = 'function_call_filter: MALFORMED_FUNCTION_CALL';
      return stream([{ role: 'assistant' }], { finish });
    },
  };
}
