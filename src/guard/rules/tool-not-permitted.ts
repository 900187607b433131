/** TOOL_NOT_PERMITTED: an unknown tool, or one that no active skill grants (§5.3). */
import type { Rule } from '../rule.ts';

export const toolNotPermitted: Rule = {
  code: 'TOOL_NOT_PERMITTED',
  section: '§5.3',
  judge: ({ call, evidence }) => {
    const name = JSON.stringify(call.tool.slice(0, 80));
    if (!call.exists) return `there is no tool ${name}`;
    if (!evidence.permittedTools.has(call.tool)) return `no active skill grants ${name}`;
    const line = call.claims.find(c => c.kind === 'run');
    return line?.permitted === false ? (call.objection ?? '') : undefined;
  },
};
