/** Judges a text by the program that compiles or formats its language, where that program is installed. Data. */
import { getExtension } from '../languages.ts';
import type { SyntaxProblem } from '../symbols.ts';

/** A program that parses its standard input and runs nothing of it. */
interface ProgramParser {
  readonly program: string;
  /** A line for the shell; `$0` is the program. It ends with `exit status <n>`, which `read` expects. */
  readonly line: string;
  /** The errors in what it printed; undefined when it failed in another way. */
  readonly read: (printed: string) => readonly SyntaxProblem[] | undefined;
}

/** Runs the line of a parser on a text. Undefined when the program is missing, may not run, or took too long. */
export type ProgramRunner = (parser: ProgramParser, text: string) => Promise<string | undefined>;

/** The parser of a path by its extension, or undefined. */
export function findProgramParser(path: string): ProgramParser | undefined {
  return byExtension.get(getExtension(path));
}

const ended = '; echo "exit status $?"';

/** `ast.parse` builds the tree and runs nothing; `-I` leaves the folder of the project out of the search for modules. */
const pythonScript = [
  'import ast, sys',
  'try:',
  '    ast.parse(sys.stdin.buffer.read().decode("utf-8"))',
  'except SyntaxError as e:',
  '    print("%d:%d: %s" % (e.lineno or 1, e.offset or 1, e.msg))',
  '    sys.exit(1)',
].join('\n');

const python: ProgramParser = {
  program: 'python3',
  line: `"$0" -I -S -W ignore -c '${pythonScript}' 2>&1${ended}`,
  read: printed => errorsIn(printed, /^(?<line>\d+):(?<column>\d+): (?<message>.+)$/gm),
};

const go: ProgramParser = {
  program: 'gofmt',
  line: `"$0" -e 2>&1 >/dev/null${ended}`,
  read: printed =>
    errorsIn(printed, /^<standard input>:(?<line>\d+):(?<column>\d+): (?<message>.+)$/gm),
};

const ruby: ProgramParser = {
  program: 'ruby',
  line: `"$0" --disable=gems -W0 -c - 2>&1${ended}`,
  // since Ruby 3.4 the message stands below the line, behind a caret
  read: printed =>
    errorsIn(
      printed,
      /^(?:\S{0,300}ruby\S{0,300}: )?-:(?<line>\d+):(?: -:\d+:)? (?:syntax errors? found[^^]*\^~* )?(?<message>.+)$/gm,
    ),
};

const php: ProgramParser = {
  program: 'php',
  // no configuration; a short tag is text, as it is for the installed default
  line: `"$0" -n -d display_errors=1 -d log_errors=0 -d short_open_tag=0 -l 2>&1${ended}`,
  read: printed =>
    errorsIn(printed, /^.*?Parse error: +(?<message>.+) in .+ on line (?<line>\d+)/gm),
};

const byExtension: ReadonlyMap<string, ProgramParser> = new Map([
  ['py', python],
  ['pyi', python],
  ['go', go],
  ['rb', ruby],
  ['rake', ruby],
  ['php', php],
]);

function errorsIn(printed: string, form: RegExp): readonly SyntaxProblem[] | undefined {
  const status = /^exit status (\d+)$/m.exec(printed)?.[1];
  if (status === '0') return [];
  const errors = [...printed.matchAll(form)].map(({ groups }) => ({
    line: Number(groups?.line),
    column: Number(groups?.column ?? 1),
    message: (groups?.message ?? '').slice(0, 200),
  }));
  return status === undefined || errors.length === 0 ? undefined : errors;
}
