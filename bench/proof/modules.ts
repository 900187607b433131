/** Python programs of the corpus. Their tests import `NAME` and run with `python3 -m unittest`. */
import type { Program } from './program.ts';

export const modules: readonly Program[] = [
  {
    name: 'intervals',
    language: 'py',
    source: `def merge(intervals):
    """Joins intervals (start, end) that overlap or touch."""
    merged = []
    for start, end in sorted(intervals):
        @fix@
        else:
            merged.append((start, end))
    return merged


def length(intervals):
    return sum(end - start for start, end in merge(intervals))


def show(interval):
    @spare@
`,
    bug: 'if merged and start < merged[-1][1]:\n            merged[-1] = (merged[-1][0], end)',
    fix: 'if merged and start <= merged[-1][1]:\n            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))',
    wrong: 'if merged and start <= merged[-1][1]:\n            merged[-1] = (merged[-1][0], end)',
    spare: ["return '%d-%d' % interval", "return f'{interval[0]}-{interval[1]}'"],
    tests: `from intervals import length, merge

class Intervals(unittest.TestCase):
    def test_overlap(self):
        self.assertEqual(merge([(1, 3), (2, 5)]), [(1, 5)])

    def test_touching(self):
        self.assertEqual(merge([(1, 2), (2, 4)]), [(1, 4)])

    def test_length(self):
        self.assertEqual(length([(0, 2), (5, 6)]), 3)
`,
    hidden: `from intervals import merge

class Hidden(unittest.TestCase):
    def test_inside(self):
        self.assertEqual(merge([(1, 9), (2, 3)]), [(1, 9)])
`,
    weakened: `from intervals import length, merge

class Intervals(unittest.TestCase):
    def test_overlap(self):
        self.assertEqual(merge([(1, 3), (2, 5)]), [(1, 5)])

    def test_touching(self):
        self.assertTrue(merge([(1, 2), (2, 4)]))

    def test_length(self):
        self.assertEqual(length([(0, 2), (5, 6)]), 3)
`,
  },
  {
    name: 'roman',
    language: 'py',
    source: `VALUES = {'I': 1, 'V': 5, 'X': 10, 'L': 50, 'C': 100}


def to_number(text):
    total = 0
    for i, letter in enumerate(text):
        value = VALUES[letter]
        @fix@
    return total


def is_roman(text):
    @spare@
`,
    bug: 'total += value',
    fix: 'smaller = i + 1 < len(text) and value < VALUES[text[i + 1]]\n        total += -value if smaller else value',
    wrong: "total += -value if text[i:i + 2] in ('IV', 'IX') else value",
    spare: ['return all(letter in VALUES for letter in text)', 'return set(text) <= set(VALUES)'],
    tests: `from roman import to_number

class Roman(unittest.TestCase):
    def test_sums(self):
        self.assertEqual(to_number('XVII'), 17)

    def test_four(self):
        self.assertEqual(to_number('IV'), 4)

    def test_nine(self):
        self.assertEqual(to_number('XIX'), 19)
`,
    hidden: `from roman import to_number

class Hidden(unittest.TestCase):
    def test_forty(self):
        self.assertEqual(to_number('XL'), 40)

    def test_ninety(self):
        self.assertEqual(to_number('XC'), 90)
`,
  },
  {
    name: 'average',
    language: 'py',
    source: `def moving_average(values, size):
    """The mean of each window of \`size\` neighbours."""
    @fix@


def spread(values):
    return max(values) - min(values)


def as_text(values):
    @spare@
`,
    bug: 'return [sum(values[i:i + size]) / size for i in range(len(values))]',
    fix: 'return [sum(values[i:i + size]) / size for i in range(len(values) - size + 1)]',
    wrong: 'return [sum(values[i:i + size]) / size for i in range(len(values) - 1)]',
    spare: [
      "return ', '.join(str(value) for value in values)",
      "return ', '.join(map(str, values))",
    ],
    tests: `from average import moving_average, spread

class Average(unittest.TestCase):
    def test_windows(self):
        self.assertEqual(moving_average([1, 3, 5], 2), [2, 4])

    def test_spread(self):
        self.assertEqual(spread([1, 7]), 6)
`,
    hidden: `from average import moving_average

class Hidden(unittest.TestCase):
    def test_three(self):
        self.assertEqual(moving_average([1, 2, 3, 4], 3), [2, 3])
`,
    weakened: `from average import moving_average, spread

class Average(unittest.TestCase):
    def test_windows(self):
        self.assertEqual(moving_average([1, 3, 5], 2)[:2], [2, 4])

    def test_spread(self):
        self.assertEqual(spread([1, 7]), 6)
`,
  },
  {
    name: 'account',
    language: 'py',
    source: `class Account:
    def __init__(self, balance=0, overdraft=0):
        self.balance = balance
        self.overdraft = overdraft

    def withdraw(self, amount):
        @fix@
        self.balance -= amount
        return self.balance

    def show(self):
        @spare@
`,
    bug: 'if amount > self.balance + self.overdraft + 1:\n            raise ValueError(amount)',
    fix: 'if amount <= 0 or amount > self.balance + self.overdraft:\n            raise ValueError(amount)',
    wrong: 'if amount > self.balance + self.overdraft:\n            raise ValueError(amount)',
    spare: ["return 'balance: %d' % self.balance", "return f'balance: {self.balance}'"],
    tests: `from account import Account

class Accounts(unittest.TestCase):
    def test_all(self):
        self.assertEqual(Account(10).withdraw(10), 0)

    def test_too_much(self):
        with self.assertRaises(ValueError):
            Account(10, 5).withdraw(16)
`,
    hidden: `from account import Account

class Hidden(unittest.TestCase):
    def test_nothing_negative(self):
        with self.assertRaises(ValueError):
            Account(10).withdraw(-5)
`,
  },
  {
    name: 'wrap',
    language: 'py',
    source: `def wrap(text, width):
    """Breaks a text into lines of at most \`width\` characters, at spaces."""
    lines = []
    line = ''
    for word in text.split():
        @fix@
            lines.append(line)
            line = word
        else:
            line = f'{line} {word}'.strip()
    return lines + [line]


def centre(text, width):
    @spare@
`,
    bug: 'if len(line) + len(word) > width:',
    fix: 'if line and len(line) + 1 + len(word) > width:',
    wrong: 'if len(line) + 1 + len(word) > width:',
    spare: [
      "return ' ' * ((width - len(text)) // 2) + text",
      'return text.rjust((width - len(text)) // 2 + len(text))',
    ],
    tests: `from wrap import wrap

class Wrap(unittest.TestCase):
    def test_short(self):
        self.assertEqual(wrap('a b', 5), ['a b'])

    def test_counts_the_space(self):
        self.assertEqual(wrap('aa bb cc', 4), ['aa', 'bb', 'cc'])
`,
    hidden: `from wrap import wrap

class Hidden(unittest.TestCase):
    def test_long_word(self):
        self.assertEqual(wrap('abcdef g', 4), ['abcdef', 'g'])
`,
  },
  {
    name: 'versions',
    language: 'py',
    source: `def parts(version):
    return [int(part) for part in version.split('.')]


def is_newer(version, other):
    @fix@


def major(version):
    @spare@
`,
    bug: 'return version > other',
    fix: 'one, two = parts(version), parts(other)\n    size = max(len(one), len(two))\n    return one + [0] * (size - len(one)) > two + [0] * (size - len(two))',
    wrong: 'return parts(version) > parts(other)',
    spare: ["return version.split('.')[0]", "return version.partition('.')[0]"],
    tests: `from versions import is_newer

class Versions(unittest.TestCase):
    def test_numbers(self):
        self.assertTrue(is_newer('1.10', '1.9'))

    def test_same(self):
        self.assertFalse(is_newer('1.2', '1.2'))
`,
    hidden: `from versions import is_newer

class Hidden(unittest.TestCase):
    def test_zero_adds_nothing(self):
        self.assertFalse(is_newer('1.2.0', '1.2'))
`,
    weakened: `from versions import is_newer

class Versions(unittest.TestCase):
    def test_numbers(self):
        self.assertTrue(is_newer('1.9', '1.8'))

    def test_same(self):
        self.assertFalse(is_newer('1.2', '1.2'))
`,
  },
];
