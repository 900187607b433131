/** Ruby. */
import { sum } from '../base/plural.ts';
import type { Ecosystem } from './ecosystem.ts';
import { cheatFinder } from './shared/cheats.ts';
import { firstLine, numberBefore } from './shared/output.ts';
import { matchRequirements, matchVersions } from './shared/package-list.ts';
import type { ProjectFolder } from './shared/project-files.ts';
import { type Commands, plainRow } from './shared/tool-row.ts';

const rakeTask = /\btask[ (]{1,3}:?["']?(test|spec)\b/;
const defaultTask = /\btask[ (]{1,3}(?::?["']?default["']? *=>|default:) *([^\n]*)/;

/** The tasks that make tests, and what each is called without a name of its own. */
const testTasks: readonly (readonly [RegExp, string])[] = [
  [/TestTask\b[^\n]*?(?:[( ]:?["']?([a-z]\w*)|$)/m, 'test'],
  [/RSpec::Core::RakeTask\b[^\n]*?(?:[( ]:?["']?([a-z]\w*)|$)/m, 'spec'],
];

async function findRake(folder: ProjectFolder): Promise<Commands | undefined> {
  const text = ((await folder.read('Rakefile')) ?? '').replace(/(?:^|[ \t])#[ \t].*$/gm, '');
  const made = testTasks.flatMap(([pattern, name]) => {
    const found = pattern.exec(text);
    return found === null
      ? []
      : [/^(?:new|do|create)?$/.test(found[1] ?? '') ? name : (found[1] ?? name)];
  });
  const plain = [...text.matchAll(new RegExp(rakeTask, 'g'))].map(m => m[1] ?? '');
  // a task `spec` may write a document
  const hasSpecs = folder.paths.some(path => path.startsWith('spec/'));
  const tasks = [...made, ...plain.filter(name => name === 'test' || hasSpecs)];
  const byDefault = defaultTask.exec(text)?.[1] ?? '';
  const inDefault = [...byDefault.matchAll(/\w[\w:]*/g)].map(m => m[0]);
  const task =
    inDefault.find(name => tasks.includes(name)) ?? tasks.find(name => name === 'test') ?? tasks[0];
  if (task === undefined) return undefined;
  const bundled = folder.has('Gemfile');
  return {
    command: `${bundled ? 'bundle exec ' : ''}rake ${task}`,
    setup: bundled ? 'bundle install' : '',
    because: 'Rakefile',
  };
}

const bundle = { Gemfile: 'bundle install' };

/** Cases that were started and left. */
const countLeft = (line: string) =>
  sum(['skips', 'pendings', 'omissions'].map(word => numberBefore(line, word)));

export const ruby: Ecosystem = {
  name: 'Ruby',
  packageLists: [
    {
      files: /(?:^|\/)(?:Gemfile|gems\.rb|[^/]+\.gemspec)$/,
      source: 'rubygems',
      isManifest: true,
      read: text =>
        matchRequirements(
          text,
          /^[ \t]*(?:gem|\w+\.add(?:_\w+)?_dependency)[ (]+['"]([^'"\n]+)['"],[ \t]*['"]([^'"\n]+)['"]/gm,
        ),
    },
    {
      files: /(?:^|\/)(?:Gemfile|gems)\.lock(?:ed)?$/,
      source: 'rubygems',
      // behind the version may stand a platform
      read: text => matchVersions(text, /^ {4}([\w.-]+) \((\d[\w.]*)/gm),
    },
  ],
  detection: {
    manifests: /^(?:Gemfile|Rakefile)$/,
    sources: { Ruby: /\.rb$/ },
    tools: [
      plainRow({
        tool: 'rails',
        shownBy: '`bin/rails`, and files `test/**/*_test.rb`',
        signs: ['bin/rails'],
        also: [/^test\/(?:.*\/)?[^/]+_test\.rb$/],
        command: 'bin/rails test',
        setup: 'bundle install',
      }),
      { tool: 'rake', shownBy: 'a task `test` or `spec` in `Rakefile`', find: findRake },
      plainRow({
        tool: 'minitest',
        shownBy: 'files `test/**/*_test.rb` or `test/**/test_*.rb`',
        signs: [/^test\/(?:.*\/)?(?:[^/]+_test|test_[^/]+)\.rb$/],
        unless: ['bin/rails', ['Rakefile', /TestTask/], ['Rakefile', rakeTask]],
        command: `ruby -Ilib -Itest -e 'Dir["test/**/{*_test,test_*}.rb"].each { |f| require "./#{f}" }'`,
        commands: {
          Gemfile: `bundle exec ruby -Ilib -Itest -e 'Dir["test/**/{*_test,test_*}.rb"].each { |f| require "./#{f}" }'`,
        },
        setups: bundle,
      }),
    ],
  },
  paths: {
    '@tests': [/_test\.rb$/i],
    '@test-config': [/(^|\/)Rakefile$/],
    '@check-config': [/(^|\/)\.rubocop[^/]*\.yml$/i],
    '@manifests': [/(^|\/)(Gemfile|gems\.rb|[^/]*\.gemspec)$/],
  },
  testCode: {
    libraries: [/^[ \t]*require\s+['"](?:minitest|test\/unit)/m],
    exits: [/\bexit!\s*(?:\(?\s*(?:0|true)?\s*\)?)\s*$/m],
    cheats: cheatFinder('#', [
      [
        'replaces a built-in class',
        /\bclass (?:Integer|Float|Numeric|String|Symbol|Array|Hash|Object|BasicObject|NilClass|Range)\s*\n(?:[^\n]*\n){0,20}?[ \t]*def (?:==|!=|===|eql\?|equal\?|round|inspect)/g,
      ],
      ['equals everything', /\bdef (?:==|eql\?|equal\?|===)\s*\(?\w*\)?\s*(?:=|\n)?\s*true\b/g],
      [
        'asks whether it is tested',
        /\bdefined\?\(?\s*:{0,2}(?:RSpec|Minitest|Test::Unit)\b[^\n]*/g,
      ],
      [
        'changes an assertion or a test runner',
        /\b(?:RSpec|Minitest)(?:::\w+)+\.(?:class_eval|send|prepend|define_method|module_eval)\b[^\n]*|^[ \t]*(?:module|class) (?:RSpec|Minitest)\b[^\n]*/gm,
      ],
    ]),
  },
  influence: { installed: [/(^|\/)\.bundle\//] },
  commands: {
    starts: [
      /^rake(?: (?:test|spec|default)\S*)?$/,
      /^rails (?:test|spec)\b/,
      /^ruby .*-I ?\S*test\b/,
    ],
    installers: [/bundle(?: install)?/, /gem install(?: [\w-]+)*/],
  },
  runners: [
    {
      runner: 'minitest',
      failure: /^(?: {2}\d+\) )?(?:Failure|Error):(?: (.*))?$/,
      line: /^\d+ (?:runs|tests), \d+ assertions, /,
      count: text => ({
        ran: numberBefore(text, '(?:runs|tests)') - countLeft(firstLine(text)),
        failed: numberBefore(text, 'failures') + numberBefore(text, 'errors'),
      }),
    },
  ],
};
