/** Asks again for a reply whose tags could not be read. */
import { PhotonError } from '../../base/codes.ts';
import { renderProblem, type XmlProblem } from '../../model/protocols/xml-problems.ts';
import type { Message } from '../../model/turn.ts';
import { cutText } from '../context/model-conversation.ts';
import { fill, type Templates } from '../context/profile.ts';

/** The request that shows the model its reply, within a number of bytes, and the problems in it. */
export function repairMessages(
  templates: Templates,
  { problems, reply }: { readonly problems: readonly XmlProblem[]; readonly reply: string },
  maxBytes: number,
): readonly Message[] {
  const text = fill(templates, 'repair', {
    problems: problems.map(renderProblem).join('\n'),
    reply: cutText(reply.toWellFormed(), maxBytes, templates),
  });
  return [
    { role: 'system', text: fill(templates, 'repair_system', {}) },
    { role: 'user', text },
  ];
}

/** The error for a reply that stays unreadable: the code and the place of its first problem. */
export function firstProblem(problems: readonly XmlProblem[], repairs: number): PhotonError {
  const [first] = problems;
  if (first === undefined) return new PhotonError('INTERNAL', 'a reply was refused for nothing');
  const { code, line, column, about } = first;
  const text = `The reply could not be read, after ${repairs} repairs: line ${line}, column ${column} ${about}`;
  return new PhotonError(code, text.trimEnd());
}
