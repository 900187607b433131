/** Recognises credential files by the names and formats of the programs that write them, and extracts their secret values. */
import { splitWords } from '../../base/plural.ts';
import { attempt, decodePercent } from '../../base/system-errors.ts';
import { credentialShapesIn, isPlaceholder } from './credential-shape.ts';

/** Names, in lower case, that only files with credentials have. */
const always: readonly RegExp[] = [
  /^(?!(?:.*[-_.])?(?:example|sample|template|dist|defaults?)\.env$).*\.env$|^\.envrc$/,
  // templates are committed to be read, and hold no values
  /^\.env\.(?!(?:.*\.)?(?:example|sample|template|tpl|dist|defaults?|schema)$).+$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[-_.].*)?(?<!\.pub)$/,
  /\.(?:p12|pfx|jks|keystore|ppk|kdbx|tfstate|tfstate\.backup|ovpn|kubeconfig)$/,
  /^kubeconfig(?:[-_.].*)?$|^[._]netrc$/,
  /^\.(?:pypirc|git-credentials|dockercfg|htpasswd|pgpass|my\.cnf|s3cfg|boto|vault-token)$/,
  /^(?:.*[-_.])?credentials\.(?:json|toml|ya?ml|ini|tfrc\.json)$/,
  /^application_default_credentials\.json$/,
  /^(?:.*[-_.])?service[-_]?account.*\.json$/,
  /^(?:client_secret.*|gha-creds-.*)\.json$/,
];

/** The same for names that mean nothing outside of a folder. */
const alwaysInFolder: readonly RegExp[] = [
  /(?:^|\/)\.(?:docker\/config\.json|kube\/config|(?:aws|cargo|gem|azure)\/credentials)$/,
  /(?:^|\/)\.config\/(?:gh\/hosts\.yml|gcloud\/.*\.(?:json|db))$/,
];

/** Names of keys, unless the file holds public parts alone. */
const keys = /\.(?:pem|key|p8)$/;

/** Names of settings that may hold a credential. */
const settings: readonly RegExp[] = [
  /^(?:\.?npmrc|\.yarnrc(?:\.yml)?|\.?pip\.(?:conf|ini)|nuget\.config|settings(?:-security)?\.xml)$/,
  /^(?:gradle|local|release|signing|keystore)\.properties$/,
  /^(?:auth\.json|\.condarc|\.terraformrc|terraform\.rc|local\.settings\.json|\.?bunfig\.toml)$/,
  /^(?:.*[-_.])?secrets?\.(?:json|toml|ya?ml|ini|properties|xml)$/,
  /^(?:.*[-_.])?(?:token|password|passwd|api[-_]?key|secret)s?(?:\.txt)?$/,
  /\.tfvars(?:\.json)?$/,
];
const settingsInFolder =
  /(?:^|\/)(?:\.bundle\/config|\.cargo\/config(?:\.toml)?|\.composer\/auth\.json)$/;

/** Folders that hold nothing but credentials and settings about them. */
const folders = new Set(['.ssh', '.aws', '.gnupg', '.azure', '.gcloud']);

/** True for a folder whose files all count as credentials. */
export function isCredentialFolder(name: string): boolean {
  return folders.has(name.toLowerCase());
}

/** What the name of a file says: `always` a credential, a `key`, `settings` that may hold one, or nothing. */
export function kindOfName(path: string): 'always' | 'key' | 'settings' | 'other' {
  const lower = path.toLowerCase();
  const name = lower.slice(lower.lastIndexOf('/') + 1);
  if (alwaysInFolder.some(p => p.test(lower)) || always.some(p => p.test(name))) return 'always';
  if (keys.test(name)) return 'key';
  if (settingsInFolder.test(lower) || settings.some(pattern => pattern.test(name)))
    return 'settings';
  return 'other';
}

const armour = /-----BEGIN [A-Z0-9 ]+-----/;

/** Names of files that hold settings by name, in which a credential has a field of its own. */
const configuration = /(?:^|\/)\.[^/.]+$|\.(?:ini|cfg|conf|cnf|toml|ya?ml|json|properties|xml)$/i;

/**
 * True for a file that looks like one of credentials, by its name or its content.
 * @param text the content; undefined when it is not a text, or too large to be read.
 */
export function looksLikeCredentials(path: string, text: string | undefined): boolean {
  const kind = kindOfName(path);
  if (kind === 'always') return true;
  // certificates and public keys are armoured, too
  if (kind === 'key') return text === undefined || !armour.test(text) || /PRIVATE KEY/.test(text);
  if (text === undefined) return false;
  if (credentialShapesIn(text).length > 0) return true;
  const values = credentialsIn(text).filter(value => !isPlaceholder(value));
  if (kind === 'settings') return values.length > 0;
  return configuration.test(path) && values.some(isOpaque);
}

/** The values to blank of a file that looks like one of credentials. */
export function valuesToBlank(path: string, text: string): readonly string[] {
  const values = [...credentialsIn(text), ...credentialShapesIn(text)];
  // a variable of any name may hold a key
  const variables = /\.env/i.test(path)
    ? listFirstGroups(text, /^[ \t]*(?:export[ \t]+)?\w+[ \t]*=[ \t]*["']?([^\s"'#]+)/gm).filter(
        isOpaque,
      )
    : [];
  return [...new Set([...values, ...variables])].filter(
    value => !isPlaceholder(value) && !armour.test(value) && !word.test(value),
  );
}

/** A password that is a word, such as `development`: without it, no text about the project could be read. */
const word = /^[a-z]{1,11}$/;

/** True for a value that no person chose as a word: letters and digits without a space. */
function isOpaque(value: string): boolean {
  return /^(?=.*[a-z])(?=.*\d)[\w+/=.~!@#%^&*-]{12,}$/i.test(value) && !/^[\d.]+\w*$/.test(value);
}

/** What follows the name of a setting, unless that says that a digest follows; no address. */
const assigned =
  /(?<!(?:sha\d{1,3}|integrity|hash|checksum|digest|etag|rev|commit)["']?[ \t]{0,4})(?:[:=]|=>)(?!\/\/)[ \t]{0,40}["'`]?([\w+/=.~!@#%^&*-]{12,200})/gi;
const anyWord = /(?<![\w+/.~!@#%^&*-])[\w+/.~!@#%^&*-]{12,200}/g;

/**
 * The values of a text that look random: those that it assigns to a name, or all. Names and versions, which consist of words and
 * numbers, and digests are none.
 */
export function listRandomValues(text: string, which: 'assigned' | 'all'): readonly string[] {
  const values =
    which === 'all'
      ? text.match(anyWord)
      : [...text.matchAll(assigned)].map(([, value = '']) => value);
  return [...new Set(values)].filter(value => !isPlaceholder(value) && isRandom(value));
}

function isRandom(value: string): boolean {
  // digests, and the names of git objects, which every report holds
  if (/^sha\d{1,3}[-:]|^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(value)) return false;
  return value
    .split(/[^a-z0-9+]/i)
    .some(part => part.length >= 12 && (part.match(/[a-z](?=\d)|\d(?=[a-z])/gi)?.length ?? 0) >= 3);
}

/** Field names whose value is a secret, and name endings that only describe one. */
const secretField =
  /token|extraheader|secret|passw|auth(?!or(?!iz))|api_?-?key|private_?-?key|key-data|credential/i;
const descriptiveEnds = splitWords(
  'type uri url file path name email id format helper helpers process source endpoint method provider command mode store config',
);
const describesIt = (name: string) => descriptiveEnds.some(end => name.toLowerCase().endsWith(end));

const field =
  /(?:^|[\s,{[;<])["']?([\w./:@-]*[\w-])["']?[ \t]*[:=][ \t]*("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s"',;{}[\]][^\n,;{}]*)/gm;
const keyBlock = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----([\s\S]*?)-----END/g;

/**
 * Returns the values to redact: from netrc and npmrc files, JSON, YAML, TOML and INI, URLs with a
 * password, Maven and NuGet settings, private keys, and files that contain a single value only.
 */
export function credentialsIn(text: string): readonly string[] {
  const fields = [...text.matchAll(field)]
    .filter(([, name = '']) => secretField.test(name) && !describesIt(name))
    .map(([, , value = '']) => unquote(value.trim()));
  const netrcPasswords = listFirstGroups(text, /\bpassword\s+(\S+)/g);
  const elements = listFirstGroups(text, /<(?:password|passphrase|privateKey)>([^<]+)<\//g);
  const addresses = listFirstGroups(text, /:\/\/(?:[^\s/:@]*:)?([^\s/@]+)@/g).map(decodePercent);
  const keys = listFirstGroups(text.replaceAll('\\n', '\n'), keyBlock).map(key => key.trim());
  const attributes = listFirstGroups(text, /<add key="[^"]*password" value="([^"]+)"/gi);
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

/** What the first group of a pattern finds, each time. */
function listFirstGroups(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, value = '']) => value);
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

function unquote(value: string): string {
  if (!/^(["']).*\1$/s.test(value)) return value;
  const parsed = value.startsWith('"') ? attempt(() => String(JSON.parse(value))) : undefined;
  return parsed ?? value.slice(1, -1);
}
