/** Workflows for the sample repository, and a model that writes the file of each task. */
import { type Body, type ModelDouble, type ScriptedTurn, startModel } from './model.ts';
import { done, look } from './sample.ts';
import { activate, call, planOf, turnOf } from './steps.ts';

/** A task of a workflow file that writes one file. */
export function taskText(id: string, needs: string, more: readonly string[] = []): string {
  return [
    `  - id: ${id}`,
    `    prompt: Write docs/${id}.md.`,
    `    depends_on: [${needs}]`,
    '    verify: none',
    ...more.map(line => `    ${line}`),
    `    outputs: [{ description: Text of ${id}, path: docs/${id}.md }]`,
    '',
  ].join('\n');
}

/** The file that the task of a request names; empty when it names none. */
export function wantedOf({ messages }: Body): string {
  return /Write (docs\/[\w-]+\.md)\./.exec(JSON.stringify(messages))?.[1] ?? '';
}

/** Number of the model's turns so far in the conversation of a request. */
export function roundOf({ messages }: Body): number {
  return messages.filter(m => m.role === 'assistant').length;
}

/** Holds each conversation at a round until as many others are there. */
export function barrier(round: number, parties: number): (body: Body) => Promise<void> {
  const waiting: (() => void)[] = [];
  let open = false;
  return async body => {
    if (open || roundOf(body) !== round) return;
    await new Promise<void>(go => {
      waiting.push(go);
      if (waiting.length < parties) return;
      open = true;
      for (const each of waiting) each();
    });
  };
}

/** Turns that write one new file. */
export function writingTurns(path: string, content = `# ${path}\n`): readonly ScriptedTurn[] {
  return [
    turnOf(
      'The text is missing, so I activate test-repair and plan one new file.',
      activate('test-repair'),
      planOf([path]),
    ),
    look,
    turnOf(
      'The text is to be a file of its own. I write it as planned.',
      call('apply_patch', { files: [{ path, content }] }),
    ),
    done,
  ];
}

/** A model that plays `turnsOf` the file of the task. `onRequest` is called first and can delay the answer. */
export function startWriter(
  onRequest: (body: Body) => Promise<void> | void = () => {},
  turnsOf: (path: string, body: Body) => readonly ScriptedTurn[] = path => writingTurns(path),
): Promise<ModelDouble> {
  return startModel(async body => {
    await onRequest(body);
    return turnsOf(wantedOf(body), body)[roundOf(body)] ?? { status: 400, body: {} };
  });
}
