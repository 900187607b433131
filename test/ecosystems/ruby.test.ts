import { describe, expect, it } from 'vitest';
import { ruby } from '../../src/ecosystems/ruby.ts';
import { readSummaries } from '../../src/verify/reports/run-summary.ts';
import { findTools } from './project.ts';

describe('Ruby', () => {
  it('is tested by rails, a task of rake, or its test files, with bundler where there is a Gemfile', async () => {
    const test = { 'test/cart_test.rb': '' };
    const rake = { Rakefile: 'task :test do\nend\n', ...test };
    expect(await findTools(ruby, rake)).toEqual(['rake: rake test () by Rakefile']);
    expect(await findTools(ruby, { ...rake, Gemfile: '' })).toEqual([
      'rake: bundle exec rake test (bundle install) by Rakefile',
    ]);
    expect(await findTools(ruby, { Rakefile: 'RSpec::Core::RakeTask.new' })).toEqual([
      'rake: rake spec () by Rakefile',
    ]);
    expect(await findTools(ruby, test)).toEqual([
      expect.stringMatching(/^minitest: ruby -Ilib -Itest .* by test\/cart_test\.rb$/),
    ]);
    expect(await findTools(ruby, { ...test, 'bin/rails': '' })).toEqual([
      'rails: bin/rails test (bundle install) by bin/rails',
    ]);
  });

  it.each([
    [
      '12 runs, 30 assertions, 1 failures, 2 errors, 3 skips\n',
      { runner: 'minitest', ran: 9, failed: 3 },
    ],
    [
      '4 tests, 4 assertions, 0 failures, 0 errors, 0 pendings\n',
      { runner: 'minitest', ran: 4, failed: 0 },
    ],
  ])('counts the cases of %j', (output, counts) => {
    expect(readSummaries(`some output\n${output}`)).toEqual([counts]);
  });
});
