/** The repairs that the template `text` makes, in each language that it knows. */
import { otherText } from '../../../../src/repair/candidates/templates/text.ts';
import { js, playRepairs, py } from './repairs.ts';

playRepairs(otherText, [
  ['a.js', js("  return list.join(',');"), js("  return list.join('');")],
  ['a.js', js('  return n.replace(/a/, "");'), js('  return n.replace(/a/g, "");')],
  ['a.js', js('  return /^[a-z]+$/.test(n);'), js('  return /^[A-Za-z]+$/.test(n);')],
  ['a.js', js('  return /^a|b$/.test(n);'), js('  return /^(?:a|b)$/.test(n);')],
  ['a.js', js('  return /a.b/.test(n);'), js('  return /a\\.b/.test(n);')],
  ['a.js', js('  return /<.*>/.exec(n);'), js('  return /<.*?>/.exec(n);')],
  ['a.js', js('  return /<(.+)>/.exec(n);'), js('  return /<([^>]+)>/.exec(n);')],
  ['a.js', js('  return /^\\d{3}$/.test(n);'), js('  return /^\\d{4}$/.test(n);')],
  ['a.js', js("  return n.replace(/(a)(b)/, '$1');"), js("  return n.replace(/(a)(b)/, '$2');")],
  ['a.js', js(`  return \`\${n}-\${other}\`;`), js(`  return \`\${n}:\${other}\`;`)],
  ['a.py', py("    return re.match(r'\\d+', n)"), py("    return re.match(r'\\d+$', n)")],
  ['a.py', py("    return f'{n:.2f}'"), py("    return f'{n:.1f}'")],
  ['a.py', py("    return '%02d:%02d' % (n, other)"), py("    return '%2d:%02d' % (n, other)")],
  ['a.py', py("    return n.strftime('%Y-%M-%d')"), py("    return n.strftime('%Y-%m-%d')")],
  ['a.py', py("    return '{:<5}'.format(n)"), py("    return '{:>5}'.format(n)")],
  ['a.js', js('  return /^(\\d+|)$/.test(n);'), js('  return /^(\\d+|-)$/.test(n);')],
  [
    'a.js',
    js('  if (/^--.+/.test(n)) return 1;\n  return /^-/.test(other);'),
    js('  if (/^--.+/.test(n)) return 1;\n  return /^--.+/.test(other);'),
  ],
]);
