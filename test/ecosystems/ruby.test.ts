import { describe, expect, it } from 'vitest';
import { ruby } from '../../src/ecosystems/ruby.ts';
import { countCases, findTools } from './project.ts';

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

  countCases([
    ['12 runs, 30 assertions, 1 failures, 2 errors, 3 skips\n', 'minitest: 9 ran, 3 failed'],
    [
      '4 tests, 4 assertions, 0 failures, 0 errors, 1 pendings, 1 omissions\n',
      'minitest: 2 ran, 0 failed',
    ],
  ]);
});
