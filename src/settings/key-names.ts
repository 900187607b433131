/** Tells which environment variables are named like keys. */

/** Words that mark a name if they end one of its parts, as in `APITOKEN`. */
const keyEnding =
  /(?:(?:TOKEN|SECRET|PASSWORD|CREDENTIAL|(?:API|ACCESS|PRIVATE|SECRET|SIGNING)KEY)S?|PASSWD|PASSPHRASE|CREDS)$/;

/** Words that mark a name only if they are a whole part of it, as in `DB_PASS`. */
const keyPart = /^(?:KEYS?|PAT|PASS|PWD|AUTH|DSN|COOKIES?|JWT|BEARER|NETRC)$/;

/** True if the value of a variable with this name is likely a key. Such a variable never reaches a command. */
export function isKeyName(name: string): boolean {
  if (name === 'PWD' || name === 'OLDPWD') return false; // the working folder
  const parts = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .split(/[_\d]+/);
  return parts.some(part => keyPart.test(part) || keyEnding.test(part));
}
