/** Asks a runner of the project what it makes of its arguments and configuration. */
import type * as z from 'zod';
import { type PlainCommand, shellLine } from '../../ecosystems/commands/parse-command.ts';
import { parseJsonObject } from '../../ecosystems/shared/project-files.ts';
import { type RunnerContext, type RunnerView, runnerFolder } from './runner-context.ts';

export interface OptionsReader extends Pick<RunnerContext, 'runner'> {
  readonly view: RunnerView;
}

/** A program of `assets/runners/` that prints the options as the last line of its output, in JSON. */
interface OptionsProgram<T> {
  readonly name: string;
  readonly schema: z.ZodType<T>;
}

const readMs = 20_000;

/** What the program prints for the words of a command; null if it fails. */
export async function readOptions<T>(
  { runner, view }: OptionsReader,
  { env, words }: PlainCommand,
  { name, schema }: OptionsProgram<T>,
): Promise<T | null> {
  const program = `${runnerFolder}/${name}`;
  await view.place(new Map([[program, runner(name)]]));
  const line = shellLine({ env, words: ['node', program, ...words.slice(1)] });
  const { output } = await view.run(line, readMs);
  return schema.safeParse(parseJsonObject(output.trim().split('\n').at(-1) ?? '')).data ?? null;
}
