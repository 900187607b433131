/** Failed steps of a GitHub Actions log: name, command, first errors with what came before, exit code. */
import { readFileSync } from 'node:fs';

const [file, wanted = '8'] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write('failed-steps.mjs LOG [LINES]\n');
  process.exit(2);
}
const before = Number(wanted) || 8;
const colour = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

/** A line without job, step, time and colour, as the site and `gh run view --log` prefix them. */
function plain(line) {
  const columns = line.split('\t');
  const named = columns.length >= 3 ? `${columns[0]} / ${columns[1]}` : '';
  const text = (columns.length >= 3 ? columns.slice(2).join('\t') : line)
    .replace(/^\uFEFF?\d{4}-\d\d-\d\dT[\d:.]+Z ?/, '')
    .replace(colour, '');
  return { named, text };
}

const steps = [];
let step = { name: '', command: '', lines: [], errors: [], exit: '' };
const begin = (name, command) => {
  step = { name, command, lines: [], errors: [], exit: '' };
  steps.push(step);
};
for (const line of readFileSync(file, 'utf8').split(/\r?\n/)) {
  const { named, text } = plain(line);
  if (named !== '' && named !== step.name) begin(named, '');
  const run = /^##\[group\]Run (.*)$/.exec(text)?.[1];
  if (run !== undefined) {
    if (named === '' || step.command !== '') begin(named || run, run);
    else step.command = run;
  }
  const error = /^##\[error\](.*)$/.exec(text)?.[1];
  if (error === undefined) {
    if (!/^##\[\w+\]/.test(text) && text.trim() !== '') step.lines.push(text);
    continue;
  }
  if (steps.length === 0) begin('the first step', '');
  step.exit = /exit code (\d+)/.exec(error)?.[1] ?? step.exit;
  step.errors.push({ error, lines: step.lines.slice(-before) });
}

const failed = steps.filter(s => s.errors.length > 0);
for (const { name, command, errors, exit } of failed) {
  process.stdout.write(`step: ${name}\ncommand: ${command}\nexit: ${exit || 'unknown'}\n`);
  for (const { error, lines } of errors.slice(0, 5)) {
    const shown = lines.map(l => `  | ${l.slice(0, 400)}\n`).join('');
    process.stdout.write(`${shown}  error: ${error.slice(0, 400)}\n`);
  }
}
if (failed.length === 0) process.stdout.write('no failed step in this log\n');
process.exitCode = failed.length === 0 ? 1 : 0;
