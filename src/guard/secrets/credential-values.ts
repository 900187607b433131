/** Extracts the secret values from credential files, by the formats that programs write. */

/** Field names whose value is a secret, and name endings that only describe one. */
const secretField =
  /token|extraheader|secret|passw|auth(?!or(?!iz))|api_?-?key|private_?-?key|key-data|credential/i;
const describesIt =
  /(?:type|ur[il]|file|path|name|email|id|format|helper|helpers|process|source|endpoint|method|provider|command|mode|store|config)$/i;

const field =
  /(?:^|[\s,{[;<])["']?([\w./:@-]*[\w-])["']?[ \t]*[:=][ \t]*("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s"',;{}[\]][^\n,;{}]*)/gm;
const armour = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----([\s\S]*?)-----END/g;

/**
 * Returns the values to redact: from netrc and npmrc files, JSON, YAML, TOML and INI, URLs with a
 * password, Maven and NuGet settings, private keys, and files that contain a single value only.
 */
export function credentialsIn(text: string): readonly string[] {
  const fields = [...text.matchAll(field)]
    .filter(([, name = '']) => secretField.test(name) && !describesIt.test(name))
    .map(([, , value = '']) => unquoted(value.trim()));
  const netrcPasswords = [...text.matchAll(/\bpassword\s+(\S+)/g)].map(m => m[1] ?? '');
  const elements = [...text.matchAll(/<(?:password|passphrase|privateKey)>([^<]+)<\//g)].map(
    m => m[1] ?? '',
  );
  const addresses = [...text.matchAll(/:\/\/(?:[^\s/:@]*:)?([^\s/@]+)@/g)].map(m =>
    decoded(m[1] ?? ''),
  );
  const keys = [...text.replaceAll('\\n', '\n').matchAll(armour)].map(m => (m[1] ?? '').trim());
  const attributes = [...text.matchAll(/<add key="[^"]*password" value="([^"]+)"/gi)].map(
    m => m[1] ?? '',
  );
  // a line `name=value` is a setting
  const whole = /^[\w.~+/-]{16,}={0,2}$/.test(text.trim()) ? [text.trim()] : [];
  const found = [
    ...fields,
    ...netrcPasswords,
    ...elements,
    ...attributes,
    ...addresses,
    ...keys,
    ...whole,
  ];
  return [...new Set(found.flatMap(withParts))].filter(isValue);
}

/** A header value without its scheme, and the password of an encoded `user:password`. */
function withParts(value: string): readonly string[] {
  const bare = value.replace(/^(?:AUTHORIZATION:\s*)?(?:basic|bearer|token)\s+/i, '');
  const plain = Buffer.from(bare, 'base64').toString('utf8');
  const password = /^[\x20-\x7e]+:([\x21-\x7e]{6,500})$/.exec(plain)?.[1];
  return password === undefined ? [bare] : [bare, password];
}

/** False for a path, a variable reference, or a short setting. */
function isValue(value: string): boolean {
  return value.length >= 8 && !/^(?:[/~$%]|\$\{|<|\{)/.test(value);
}

function unquoted(value: string): string {
  if (!/^(["']).*\1$/s.test(value)) return value;
  try {
    return value.startsWith('"') ? String(JSON.parse(value)) : value.slice(1, -1);
  } catch {
    return value.slice(1, -1);
  }
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
