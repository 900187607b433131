/** `photon doctor`: what this machine can give; 1 when a wall of the sandbox is missing. */
import { resolve } from 'node:path';
import { renderMachine } from '../report/machine-text.ts';
import { examineMachine } from '../session/doctor.ts';
import { parseArguments } from './arguments.ts';
import type { Command } from './terminal.ts';

export const doctor: Command = async (args, terminal) => {
  const { values } = parseArguments(args, ['repo']);
  const report = await examineMachine(terminal.env, resolve(String(values.repo ?? '.')));
  terminal.print(renderMachine(report));
  return report.advice.length === 0 ? 0 : 1;
};
