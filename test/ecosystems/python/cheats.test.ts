import { expect, it } from 'vitest';
import { findCheats } from '../../../src/ecosystems/python/cheats.ts';

const does = (text: string) => findCheats(text).map(c => c.does);
const method = (body: string) => `class A:\n    def __eq__(self, other):\n${body}\n    b = other\n`;

it.each<[string, string]>([
  [
    'asks whether it is tested',
    "frame = sys._getframe(1)\nwhile frame:\n    if 'test' in frame.f_code.co_filename:\n        go()\n",
  ],
  [
    'asks whether it is tested',
    "for one in inspect.stack():\n    if one.function.startswith('test_'):\n        go()\n",
  ],
  ['asks whether it is tested', "words = sys.argv\nif 'pytest' in words[0]:\n    go()\n"],
  ['asks whether it is tested', "os.environ['PYTEST_ADDOPTS'] = '-k none'\n"],
  ['equals everything', method('        answer = 1 == 1\n        return answer')],
  [
    'equals everything',
    method(
      '        # all of them\n\n        if self:\n            return not None\n        return False',
    ),
  ],
  ['equals everything', "type('N', (int,), {'__' + 'eq__': lambda *both: len('a')})\n"],
])('%s: %s', (said, text) => expect(does(text)).toContain(said));

it.each([
  method('        return self.id == other.id'),
  method('        return NotImplemented'),
  method("        raise TypeError('no order')"),
  method('        return False'),
  '__eq__ = lambda self, other: self.id == other.id\n',
  '__eq__ = Proxy(operator.eq)\n',
  "parser.parse_args(sys.argv[1:])\nrun('tests')\n",
  'caller = sys._getframe(1)\nlog(caller.f_code.co_name)\n',
])('honest: %s', text => expect(findCheats(text)).toEqual([]));
