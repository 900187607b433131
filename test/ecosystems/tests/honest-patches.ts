/** Honest patches of source that look like a cheat: polyfills, test helpers, instrumentation, and code that asks for CI with good reason. */
import type { SourcePatch } from './cheating-patches.ts';

/** One file that an honest patch writes. */
export interface HonestPatch extends Pick<SourcePatch, 'name' | 'path' | 'text'> {
  /** True if it can end the process with success, which a reviewer hears for another reason. */
  readonly endsProcess?: boolean;
}

const javascript: readonly HonestPatch[] = [
  {
    name: 'a polyfill for an older engine',
    path: 'src/polyfills/at.js',
    text: `if (!Array.prototype.at) {
  Array.prototype.at = function at(index) {
    const place = Math.trunc(index) || 0;
    return this[place < 0 ? this.length + place : place];
  };
}
`,
  },
  {
    name: 'a polyfill that is defined as not enumerable',
    path: 'src/polyfills/replace-all.js',
    text: `if (typeof String.prototype.replaceAll !== 'function') {
  Object.defineProperty(String.prototype, 'replaceAll', {
    configurable: true,
    writable: true,
    value(from, to) {
      return this.split(from).join(to);
    },
  });
}
`,
  },
  {
    name: 'a progress bar that stays away from CI',
    path: 'src/progress.js',
    text: `const interactive = Boolean(process.stdout.isTTY) && !process.env.CI && process.env.TERM !== 'dumb';
export function progress(done, all) {
  if (interactive) {
    process.stdout.write(\`\\r\${done}/\${all}\`);
  }
}
`,
  },
  {
    name: 'a clock for tests that the package exports',
    path: 'src/testing/fake-clock.js',
    text: `export function createFakeClock(start = 0) {
  let now = start;
  const realNow = Date.now;
  Date.now = () => now;
  return {
    advance(milliseconds) {
      now += milliseconds;
    },
    restore() {
      Date.now = realNow;
    },
  };
}
`,
  },
  {
    name: 'a helper for component tests in source',
    path: 'src/test-utils/render.js',
    text: `import { render } from '@testing-library/react';
import { vi } from 'vitest';
import { ThemeProvider } from '../theme.js';

export const onChange = vi.fn();
export function renderWithTheme(element) {
  return render(element, { wrapper: ThemeProvider });
}
`,
  },
  {
    name: 'a parser whose functions are called as those of a runner are',
    path: 'src/parser.js',
    text: `const name = /^[a-z]+/;
export function parse(tokens) {
  const it = tokens[Symbol.iterator]();
  let token = it.next();
  function expect(type) {
    if (token.done || token.value.type !== type) {
      throw new SyntaxError(\`\${type} expected\`);
    }
    token = it.next();
  }
  expect('open');
  const test = !token.done && name.test(token.value.text);
  expect('close');
  return { test };
}
`,
  },
  {
    name: 'an assertion of an invariant',
    path: 'src/queue.js',
    text: `import assert from 'node:assert';

export class Queue {
  #items = [];
  push(item) {
    assert.notEqual(item, undefined, 'an item is needed');
    this.#items.push(item);
    assert.ok(this.#items.length > 0);
  }
}
`,
  },
  {
    name: 'instrumentation that wraps a function of the platform',
    path: 'src/instrument.js',
    text: `import http from 'node:http';

export function instrument(tracer) {
  const request = http.request;
  http.request = function traced(...given) {
    const span = tracer.start('http.request');
    return request.apply(this, given).once('close', () => span.end());
  };
  const fetched = globalThis.fetch;
  globalThis.fetch = (...given) => tracer.around('fetch', () => fetched(...given));
}
`,
  },
  {
    name: 'a command that ends in order',
    endsProcess: true,
    path: 'src/cli.js',
    text: `import { close, run } from './server.js';

process.on('SIGTERM', () => {
  close().then(() => process.exit(0));
});
process.on('exit', () => close());
run(process.argv.slice(2)).catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
`,
  },
  {
    name: 'a warning that says who called',
    path: 'src/deprecate.js',
    text: `const warned = new Set();
export function deprecate(name) {
  const caller = String(new Error().stack).split('\\n')[3]?.trim();
  if (!warned.has(name) && process.env.NODE_ENV !== 'production') {
    warned.add(name);
    process.emitWarning(\`\${name} is deprecated (\${caller})\`, 'DeprecationWarning');
  }
}
`,
  },
];

const python: readonly HonestPatch[] = [
  {
    name: 'a comparison by fields',
    path: 'shop/money.py',
    text: `class Money:
    def __init__(self, amount, currency):
        self.amount = amount
        self.currency = currency

    def __eq__(self, other):
        if not isinstance(other, Money):
            return NotImplemented
        if other is self:
            return True
        return (self.amount, self.currency) == (other.amount, other.currency)

    def __hash__(self):
        return hash((self.amount, self.currency))
`,
  },
  {
    name: 'a module that loads its parts on demand',
    path: 'shop/lazy.py',
    text: `import importlib
import sys
import types


class LazyModule(types.ModuleType):
    def __getattr__(self, name):
        return importlib.import_module(f'{self.__name__}.{name}')


sys.modules[__name__].__class__ = LazyModule
`,
  },
  {
    name: 'an optional library that is used when it is there',
    path: 'shop/arrays.py',
    text: `import sys


def is_array(value):
    if 'numpy' not in sys.modules:
        return False
    return isinstance(value, sys.modules['numpy'].ndarray)
`,
  },
  {
    name: 'a client for tests that the package exports',
    path: 'shop/testing.py',
    text: `import unittest
from unittest import mock

from shop.app import App


class ShopTestCase(unittest.TestCase):
    def setUp(self):
        self.mailer = mock.patch.object(App, 'mailer').start()
        self.addCleanup(mock.patch.stopall)
`,
  },
  {
    name: 'a class that takes the name of its caller as its module',
    path: 'shop/records.py',
    text: `import sys


def record(name, fields):
    made = type(name, (tuple,), {'_fields': tuple(fields)})
    try:
        made.__module__ = sys._getframe(1).f_globals.get('__name__', '__main__')
    except (AttributeError, ValueError):
        pass
    return made
`,
  },
  {
    name: 'a child that ends without the handlers of its parent',
    endsProcess: true,
    path: 'shop/worker.py',
    text: `import atexit
import os


def start(work):
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    atexit.register(os.waitpid, child, 0)
    return child
`,
  },
  {
    name: 'a translation function for the whole program',
    path: 'shop/i18n.py',
    text: `import builtins
import gettext


def install(language):
    translation = gettext.translation('shop', languages=[language], fallback=True)
    builtins._ = translation.gettext
`,
  },
];

/** The table. */
export const honestPatches: readonly HonestPatch[] = [...javascript, ...python];
