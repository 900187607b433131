/** Evaluates the expressions of workflows, with the operators and functions that Photon's use. */

type Contexts = Readonly<Record<string, unknown>>;

const token = /\s*(?:('(?:[^']|'')*')|(&&|\|\||==|!=|!|[(),])|([\w.*-]+))/y;

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  token.lastIndex = 0;
  const source = text.replace(/^\s*\$\{\{|\}\}\s*$/g, '').trim();
  while (token.lastIndex < source.length) {
    const at = token.lastIndex;
    const found = token.exec(source);
    if (found === null) throw new Error(`not an expression: ${source.slice(at)}`);
    tokens.push(found[1] ?? found[2] ?? found[3] ?? '');
  }
  return tokens;
}

/** The value of an expression, with or without its braces. */
export function evaluate(text: string, contexts: Contexts): unknown {
  const tokens = tokensOf(text);
  let at = 0;
  const take = (wanted: string) => {
    if (tokens[at] !== wanted) return false;
    at += 1;
    return true;
  };
  const either = (): unknown => {
    let left = both();
    while (take('||')) {
      const right = both();
      left = left ? left : right;
    }
    return left;
  };
  const both = (): unknown => {
    let left = equality();
    while (take('&&')) {
      const right = equality();
      left = left ? right : left;
    }
    return left;
  };
  const equality = (): unknown => {
    const left = single();
    if (take('==')) return isSame(left, single());
    return take('!=') ? !isSame(left, single()) : left;
  };
  const single = (): unknown => {
    if (take('!')) return !single();
    if (take('(')) {
      const value = either();
      take(')');
      return value;
    }
    const name = tokens[at++] ?? '';
    if (name.startsWith("'")) return name.slice(1, -1).replaceAll("''", "'");
    if (!take('(')) return resolved(name, contexts);
    const values: unknown[] = [];
    while (!take(')')) {
      values.push(either());
      take(',');
    }
    return call(name, values);
  };
  const value = either();
  if (at < tokens.length) throw new Error(`not understood: ${tokens.slice(at).join(' ')}`);
  return value;
}

const lower = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value);

function isSame(left: unknown, right: unknown): boolean {
  return lower(left ?? '') === lower(right ?? '');
}

function resolved(name: string, contexts: Contexts): unknown {
  if (name === 'true' || name === 'false') return name === 'true';
  if (/^\d+$/.test(name)) return Number(name);
  let value: unknown = contexts;
  for (const key of name.split('.')) {
    if (key === '*') continue;
    const of = (v: unknown) => (v as Readonly<Record<string, unknown>> | null | undefined)?.[key];
    value = Array.isArray(value) ? value.map(of) : of(value);
  }
  return value;
}

function call(name: string, [first, ...rest]: readonly unknown[]): unknown {
  const [second] = rest;
  switch (name) {
    case 'contains':
      return Array.isArray(first)
        ? first.some(each => isSame(each, second))
        : String(lower(first ?? '')).includes(String(lower(second ?? '')));
    case 'startsWith':
      return String(lower(first ?? '')).startsWith(String(lower(second ?? '')));
    case 'format':
      return String(first).replace(/\{(\d)\}/g, (_, i) => String(rest[Number(i)] ?? ''));
    case 'fromJSON':
      return JSON.parse(String(first));
    default:
      throw new Error(`no function: ${name}`);
  }
}
