/** `photon doctor`: shows what this machine and a repository on GitHub provide. Exit status 1 if something is missing. */
import { resolve } from 'node:path';
import { examineRepository } from '../github/context/examine-repository.ts';
import { findPrograms, findTop } from '../process/programs.ts';
import { renderMachine, renderRepository } from '../report/machine-text.ts';
import { examineMachine } from '../sandbox/doctor.ts';
import { parseArguments } from './arguments.ts';
import type { CommandHandler } from './terminal.ts';
import { openRepository } from './terminal-github.ts';

export const doctor: CommandHandler = async (args, terminal) => {
  const { values } = parseArguments(args, ['repo', 'on']);
  const remote = values.on === undefined ? null : openRepository(values.on, terminal);
  const { env } = terminal;
  const workspacePath = resolve(String(values.repo ?? '.'));
  const programs = findPrograms(env.PATH ?? '', [findTop(workspacePath)]);
  const machine = await examineMachine({ env, programs, workspacePath });
  terminal.print(renderMachine(machine));
  if (remote === null) return machine.advice.length === 0 ? 0 : 1;
  const found = await examineRepository(await remote.github, remote.repository);
  terminal.print(renderRepository(found));
  return machine.advice.length + found.advice.length === 0 ? 0 : 1;
};
