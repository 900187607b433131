/** RSpec, the test runner of many Ruby projects: as of RSpec 3, by its documentation and by outputs of public projects. */
import * as z from 'zod';
import type { Ecosystem } from './ecosystem.ts';
import { install, type Obstacle, startsMissing } from './shared/obstacle.ts';
import {
  type Cases,
  failedCase,
  firstLine,
  ifComplete,
  numberBefore,
  type TestRunnerOutput,
} from './shared/output.ts';
import {
  type EarlyScope,
  matchOptions,
  maxNames,
  positionals,
  type Selection,
} from './shared/select.ts';
import { maxCases, type ReadReport, readJsonReport, type TestCase } from './shared/test-case.ts';
import { plainRow } from './shared/tool-row.ts';

const specFile = /_spec\.rb$/i;
const withoutDot = (path: string) => path.replace(/^\.\//, '');
const notLoaded = /^An error occurred while loading (\S+?)\.(?: - Did you mean\?)?$/;

/** The failed examples below their heading, each with the command that repeats it, and the files that did not load. */
function findFailures(printed: TestRunnerOutput): Cases | undefined {
  const failures = printed.lines.flatMap(line => {
    const broken = notLoaded.exec(line)?.[1];
    if (broken !== undefined) return [failedCase(withoutDot(broken))];
    const [, path, name] = /^rspec '?([^'\s:[]+)(?::\d+|\[[\d:]+\])'? # (.+)$/.exec(line) ?? [];
    return path === undefined ? [] : [failedCase(`${withoutDot(path)} > ${name}`)];
  });
  return ifComplete(failures, printed);
}

const reportSchema = z.object({
  summary_line: z.string(),
  messages: z.array(z.string()).max(1_000).optional(),
  examples: z.array(z.unknown()),
});
const exampleSchema = z.object({
  full_description: z.string(),
  status: z.string(),
  file_path: z.string(),
  exception: z.object({ message: z.string() }).optional(),
});

/** The JSON report, which `--format json` writes. */
function readCases(data: unknown): ReadReport {
  const report = reportSchema.safeParse(data).data;
  if (report === undefined) return undefined;
  if (report.examples.length > maxCases) return 'too-large';
  const broken = (report.messages ?? []).flatMap(message =>
    message.split('\n').flatMap(line => notLoaded.exec(line)?.[1] ?? []),
  );
  const cases = broken.map(path => failedCase(withoutDot(path)));
  for (const entry of report.examples) {
    const example = exampleSchema.safeParse(entry).data;
    if (example === undefined) return undefined;
    cases.push(makeTestCase(example));
  }
  return cases;
}

function makeTestCase(example: z.infer<typeof exampleSchema>): TestCase {
  const file = withoutDot(example.file_path);
  const status =
    example.status === 'passed' || example.status === 'failed' ? example.status : 'skipped';
  const message = status === 'failed' ? example.exception?.message : undefined;
  const id = `${file} > ${example.full_description}`;
  return { id, status, file, message };
}

/** Index of the program in words such as `bundle exec rspec`; -1 for another command. */
function findProgram(words: readonly string[]): number {
  const at = words[0] === 'bundle' && words[1] === 'exec' ? 2 : 0;
  return /^(?:\S*\/)?rspec$/.test(words[at] ?? '') ? at : -1;
}

const valued = matchOptions(
  'I r O P f o t e E require options order seed format out pattern exclude-pattern tag example example-matches default-path failure-exit-code',
);
/** They choose examples, so that another choice of files could hold none of them. */
const filters =
  /^(?:-[eEtP]|--(?:example|example-matches|tag|pattern|only-failures|next-failure))\b/;

/** The spec files that failed, were changed, or are those of changed files by the convention of their paths. */
function selectSpecs(words: readonly string[], at: number, scope: EarlyScope): Selection {
  const { flags, files } = positionals(words.slice(at + 1), valued);
  if (flags.some(flag => filters.test(flag)) || files.some(file => /:\d+$|\[/.test(file)))
    return undefined;
  const isNamed = (path: string) =>
    files.length === 0 ||
    files.map(withoutDot).some(file => path === file || path.startsWith(file.replace(/\/?$/, '/')));
  const specs = scope.paths.filter(path => specFile.test(path) && isNamed(path));
  const wanted = new Set([...scope.failing, ...scope.changed]);
  for (const path of scope.changed) {
    const stem = path.replace(/\.rb$/, '');
    wanted.add(`spec/${stem}_spec.rb`).add(`spec/${stem.replace(/^\w+\//, '')}_spec.rb`);
  }
  const selected = specs.filter(path => wanted.has(path));
  const isPart = selected.length > 0 && selected.length < specs.length;
  return isPart && selected.length <= maxNames
    ? [...words.slice(0, at + 1), ...flags, ...selected]
    : undefined;
}

/** Gems, and the runner itself, that are not installed. */
const missingGem: Obstacle = ({ text }) => {
  const program = /^bundler: command not found: (\S+)$/m.exec(text)?.[1];
  if (program !== undefined) return startsMissing(program);
  const gem = /Could not find (?:gem '([^'\s]{1,200})|(\S{1,200}-\d\S*?),? )/.exec(text);
  const name = gem?.[1] ?? gem?.[2];
  return name === undefined ? undefined : `The gem "${name}" is not installed. ${install}`;
};

const missingLibrary: Obstacle = ({ text, file }, { paths }) => {
  const name = /cannot load such file -- ([\w./-]{1,200})/.exec(text)?.[1];
  // the path of a file that the project lacks, or that is not on its path, may be the fault itself
  if (name === undefined || /^[./]/.test(name)) return undefined;
  if (paths.some(path => path === `${name}.rb` || path.endsWith(`/${name}.rb`))) return undefined;
  return `The Ruby library "${name}" is not installed${file === '' ? '' : `: ${file} needs it`}. ${install}`;
};

export const rspec: Ecosystem = {
  name: 'RSpec',
  detection: {
    manifests: /^\.rspec$/,
    tools: [
      plainRow({
        tool: 'rspec',
        ecosystem: 'Ruby',
        shownBy: '`.rspec`, or files `spec/**/*_spec.rb`',
        signs: ['.rspec', /^spec\/(?:.*\/)?[^/]+_spec\.rb$/],
        command: 'rspec',
        commands: { Gemfile: 'bundle exec rspec' },
        setups: { Gemfile: 'bundle install' },
      }),
    ],
  },
  paths: { '@tests': [specFile], '@test-config': [/(^|\/)\.rspec(-local)?$/] },
  testCode: {
    libraries: [/^[ \t]*require\s+['"](?:rspec|spec_helper|rails_helper)\b/m],
    // an example has no parentheses, unlike a test in JavaScript
    definitions: [
      /^[ \t]*(?:it|specify|example|scenario) +(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)")[^\n]*(?:\bdo\b|\{)/gm,
    ],
  },
  commands: { starts: [/^(?:bundle exec )?(?:\S*\/)?rspec\b/], runners: ['rspec'] },
  runners: [
    {
      runner: 'rspec',
      failure: /^ {2}\d+\) (.*)$/,
      line: /^\d+ examples?, \d+ failures?/,
      count: text => {
        const line = firstLine(text);
        const errors = numberBefore(line, 'errors? occurred outside');
        return {
          ran: numberBefore(line, 'examples?') - numberBefore(line, 'pending'),
          failed: numberBefore(line, 'failures?') + errors,
        };
      },
      failed: findFailures,
    },
  ],
  readReport: text => readJsonReport(text, readCases),
  selectEarly: (words, scope) => {
    const at = findProgram(words);
    return at < 0 ? undefined : selectSpecs(words, at, scope);
  },
  obstacles: [missingGem, missingLibrary],
};
