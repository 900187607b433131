/** The repairs that the template `text` makes, in each language that it knows. */
import { otherText } from '../../../../src/repair/candidates/templates/text.ts';
import { playRepairs } from './repairs.ts';

playRepairs(otherText, [
  ['js', "  return list.join(',');", "  return list.join('');"],
  ['js', '  return n.replace(/a/, "");', '  return n.replace(/a/g, "");'],
  ['js', '  return /^[a-z]+$/.test(n);', '  return /^[A-Za-z]+$/.test(n);'],
  ['js', '  return /^a|b$/.test(n);', '  return /^(?:a|b)$/.test(n);'],
  ['js', '  return /a.b/.test(n);', '  return /a\\.b/.test(n);'],
  ['js', '  return /<.*>/.exec(n);', '  return /<.*?>/.exec(n);'],
  ['js', '  return /<(.+)>/.exec(n);', '  return /<([^>]+)>/.exec(n);'],
  ['js', '  return /^\\d{3}$/.test(n);', '  return /^\\d{4}$/.test(n);'],
  ['js', "  return n.replace(/(a)(b)/, '$1');", "  return n.replace(/(a)(b)/, '$2');"],
  ['js', `  return \`\${n}-\${other}\`;`, `  return \`\${n}:\${other}\`;`],
  ['py', "    return re.match(r'\\d+', n)", "    return re.match(r'\\d+$', n)"],
  ['py', "    return f'{n:.2f}'", "    return f'{n:.1f}'"],
  ['py', "    return '%02d:%02d' % (n, other)", "    return '%2d:%02d' % (n, other)"],
  ['py', "    return n.strftime('%Y-%M-%d')", "    return n.strftime('%Y-%m-%d')"],
  ['py', "    return '{:<5}'.format(n)", "    return '{:>5}'.format(n)"],
  ['js', '  return /^(\\d+|)$/.test(n);', '  return /^(\\d+|-)$/.test(n);'],
  [
    'js',
    '  if (/^--.+/.test(n)) return 1;\n  return /^-/.test(other);',
    '  if (/^--.+/.test(n)) return 1;\n  return /^--.+/.test(other);',
  ],
]);
