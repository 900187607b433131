/** Values of credentials in the files of programs that keep them: INI, TOML, JSON, XML, YAML, netrc, git. */

const shortest = 8;

const patterns: readonly RegExp[] = [
  // what a name that ends in one of these words is set to
  /(?:token|auth|passw(?:or)?d|secret|secret_access_key|private_?key|credentials?|access_?key)["']?(?:\s*[=:]\s*|\s*>\s*|[ \t]+)["']?([^\s"'<>,;]+)/gi,
  /<add key="[^"]*password" value="([^"]+)"/gi,
  /\b(?:basic|bearer|token)[ \t]+([A-Za-z0-9+/_=.~-]{16,})/gi,
  /:\/\/[^\s:/@]*:([^\s@/]+)@/g,
  /^([A-Za-z0-9+/]{40,}={0,2})$/gm, // a line of a private key
];

/** What must appear nowhere; the parts of what is encoded as `user:password`, too. */
export function credentialValues(text: string): readonly string[] {
  // a key in JSON has its line breaks written out
  const plain = text.replaceAll('\\n', '\n');
  const found = patterns.flatMap(pattern =>
    [...plain.matchAll(pattern)].map(match => match[1] ?? ''),
  );
  const whole = /^[\w.~+/=-]{16,}$/.test(text.trim()) ? [text.trim()] : [];
  return [...new Set([...whole, ...found].flatMap(v => [v, ...decoded(v)]))].filter(isValue);
}

/** Not a word of a configuration, a path, an address, or the name of a variable that is put in. */
function isValue(value: string): boolean {
  return value.length >= shortest && !/^[a-z_-]+:?$|^\/|:\/\/|[$%]\{|^\$/i.test(value);
}

/** The password of `user:password` in base64. */
function decoded(value: string): readonly string[] {
  if (!/^[A-Za-z0-9+/]{12,}={0,2}$/.test(value)) return [];
  const text = Buffer.from(value, 'base64').toString('utf8');
  return /^[\x21-\x7e]+:[\x21-\x7e]+$/.test(text) ? [text.slice(text.indexOf(':') + 1)] : [];
}
