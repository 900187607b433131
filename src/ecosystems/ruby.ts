/** Ruby. */
import type { Ecosystem } from './ecosystem.ts';
import { firstLine, numberBefore } from './shared/output.ts';
import type { ProjectFolder } from './shared/project-files.ts';
import { type Commands, plainRow } from './shared/tool-row.ts';

const rakeTask = /\btask[ (]{1,3}:?["']?(test|spec)\b/;

async function findRake(folder: ProjectFolder): Promise<Commands | undefined> {
  const text = (await folder.read('Rakefile')) ?? '';
  const task =
    rakeTask.exec(text)?.[1] ??
    (/TestTask/.test(text) ? 'test' : /RSpec::Core::RakeTask/.test(text) ? 'spec' : undefined);
  if (task === undefined) return undefined;
  const bundled = folder.has('Gemfile');
  return {
    command: `${bundled ? 'bundle exec ' : ''}rake ${task}`,
    setup: bundled ? 'bundle install' : '',
    because: 'Rakefile',
  };
}

const bundle = { Gemfile: 'bundle install' };

export const ruby: Ecosystem = {
  name: 'Ruby',
  detection: {
    manifests: /^(?:Gemfile|Rakefile)$/,
    sources: { Ruby: /\.rb$/ },
    tools: [
      plainRow({
        tool: 'rails',
        ecosystem: 'Ruby',
        shownBy: '`bin/rails`, and files `test/**/*_test.rb`',
        signs: ['bin/rails'],
        also: [/^test\/(?:.*\/)?[^/]+_test\.rb$/],
        command: 'bin/rails test',
        setup: 'bundle install',
      }),
      {
        tool: 'rake',
        ecosystem: 'Ruby',
        shownBy: 'a task `test` or `spec` in `Rakefile`',
        find: findRake,
      },
      plainRow({
        tool: 'minitest',
        ecosystem: 'Ruby',
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
    '@manifests': [/(^|\/)(Gemfile|[^/]*\.gemspec)$/],
  },
  testCode: {
    libraries: [/^[ \t]*require\s+['"](?:minitest|test\/unit)/m],
    exits: [/\bexit!\s*(?:\(?\s*(?:0|true)?\s*\)?)\s*$/m],
  },
  influence: { installed: [/(^|\/)\.bundle\//] },
  commands: { installers: [/bundle(?: install)?/, /gem install(?: [\w-]+)*/] },
  runners: [
    {
      runner: 'minitest',
      summaries: [
        {
          line: /^\d+ (?:runs|tests), \d+ assertions, /,
          count: text => ({
            ran: numberBefore(text, '(?:runs|tests)') - numberBefore(firstLine(text), 'skips'),
            failed: numberBefore(text, 'failures') + numberBefore(text, 'errors'),
          }),
        },
      ],
    },
  ],
};
