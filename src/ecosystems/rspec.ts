/** RSpec, the test runner of many Ruby projects: as of RSpec 3, by its documentation and by outputs of public projects. */
import * as z from 'zod';
import type { Ecosystem } from './ecosystem.ts';
import {
  type Cases,
  failedCase,
  firstLine,
  ifComplete,
  numberBefore,
  type TestRunnerOutput,
} from './shared/output.ts';
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
  missing: [
    /^bundler: command not found: (\S+)$/gm,
    /Could not find gem '([^'\s]{1,200})/g,
    /Could not find (\S{1,200}-\d\S*?),? /g,
    /cannot load such file -- (\w[\w./-]{0,200})/g,
  ],
};
