import { describe, expect, it } from 'vitest';
import { php } from '../../src/ecosystems/php.ts';
import { findTools } from './project.ts';

describe('PHP', () => {
  it('is tested by what its manifest names, the more special tool first', async () => {
    const pest = '{ "require-dev": { "pestphp/pest": "^3" }, "scripts": { "test": "pest" } }';
    expect(await findTools(php, { 'composer.json': pest, 'phpunit.xml': '' })).toEqual([
      'pest: vendor/bin/pest (composer install) by composer.json',
      'phpunit: vendor/bin/phpunit (composer install) by phpunit.xml',
      'composer script: composer test (composer install) by composer.json',
    ]);
    expect(await findTools(php, { 'phpunit.xml.dist': '' })).toEqual([
      'phpunit: vendor/bin/phpunit () by phpunit.xml.dist',
    ]);
    expect(await findTools(php, { 'composer.json': '{ "test": 1 }' })).toEqual([]);
  });
});
