// held-out
/** One part of a query as plain text: plus is a blank, %XX is a byte. */
function decode(part) {
  return decodeURIComponent(part.replaceAll('+', ' '));
}

/** A query such as "?a=1&b=2&b=3" as a record; a name that comes again gives a list. */
export function parseQuery(query) {
  const record = {};
  const text = query.startsWith('?') ? query.slice(1) : query;
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = decode(at < 0 ? pair : pair.slice(0, at));
    const value = at < 0 ? '' : decode(pair.slice(at + 1));
    if (!Object.hasOwn(record, name)) record[name] = value;
    else record[name] = [record[name], value].flat();
  }
  return record;
}

/** The query of a record, without "?". */
export function formatQuery(record) {
  return Object.entries(record)
    .flatMap(([name, values]) => [values].flat().map(value => [name, value]))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
}

// tests
parseQuery('?') // {}
parseQuery('?a=1&b=2') // { a: '1', b: '2' }
parseQuery('b=2&b=3&b=4') // { b: ['2', '3', '4'] }
parseQuery('flag&x=') // { flag: '', x: '' }
parseQuery('=x') // { '': 'x' }
parseQuery('q=50%25') // { q: '50%' }
// oracle
part = () => many(0, 3, () => pick('a', 'b', '+', '%20', '%25', '%C3%BC', '%2B')).join('')
parseQuery(pick('', '?') + many(0, 4, () => part() + pick('=', '', '==') + part()).join('&'))
formatQuery({ [text('a &', 2, 2)]: many(2, 2, () => text('x+%ü ', 2, 2)) })
// faults
// 9 wrong function or word: `startsWith` ► `endsWith`
// 12 wrong variable: `pair` ► `text`
// 14 missing call: `decode(pair.slice(at + 1)` ► `pair.slice(at + 1`
// 16 missing statement: `else record[name] = [record[name], value].flat();` ► ``
