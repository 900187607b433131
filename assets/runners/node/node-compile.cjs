/** Appended to node-driver.cjs: compiles single TypeScript files as the project's build does, and leads lines back to them. */
const { execFileSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const Module = require('node:module');
const { join, relative } = require('node:path');

const configMs = 60_000;
const sourceOf = /(?<!\.d)\.([cm]?)tsx?$/;
const mapComment = /\n?\/\/# sourceMappingURL=.*\s*$/;

/** The JavaScript interface of the project's compiler; null if it has none, as from version 7. */
function compilerOf() {
  try {
    const ts = Module.createRequire(`${process.cwd()}/package.json`)('typescript');
    return typeof ts.transpileModule === 'function' ? ts : null;
  } catch {
    return null;
  }
}

/** The sources of a configuration: from each path to that of its output, with the options of the compiler. */
function sourcesOf(config) {
  const folder = dirname(config);
  const shown = execFileSync('node_modules/.bin/tsc', ['--showConfig', '-p', config], {
    encoding: 'utf8',
    timeout: configMs,
  });
  const { compilerOptions: options = {}, files = [] } = JSON.parse(shown);
  const sources = files.map(f => join(folder, f)).filter(f => sourceOf.test(f));
  const outputOf = (path, root) => {
    const below = options.outDir ? join(folder, options.outDir, relative(root, path)) : path;
    return below.replace(sourceOf, '.$1js');
  };
  // without an option, the root is the folder of the configuration or, before version 6, that of all sources
  const roots = options.rootDir ? [join(folder, options.rootDir)] : [folder, commonFolder(sources)];
  const root = roots.find(r => sources.every(path => existsSync(outputOf(path, r))));
  if (root === undefined) throw new Error(`the build makes no JavaScript of a source of ${config}`);
  return sources.map(path => ({ path, out: outputOf(path, root), options }));
}

function commonFolder(paths) {
  const [first = [], ...others] = paths.map(p => p.split('/').slice(0, -1));
  let length = first.length;
  for (const other of others)
    while (first.slice(0, length).join('/') !== other.slice(0, length).join('/')) length -= 1;
  return first.slice(0, length).join('/');
}

/** The output for a text, and the line of the source for each of its lines, counted from 1. */
function compileText(ts, { path, options }, text) {
  if (ts === null) return stripText(options, text);
  const { config } = ts.parseConfigFileTextToJson(
    path,
    JSON.stringify({ compilerOptions: options }),
  );
  const parsed = ts.convertCompilerOptionsFromJson(config.compilerOptions, '.').options;
  // the compiler sees a file alone, and so not whether its package is of ES modules
  const format = ts.getImpliedNodeFormatForFile?.(
    `${process.cwd()}/${path}`,
    undefined,
    ts.sys,
    parsed,
  );
  const named = /^node/i.test(options.module ?? '');
  const module = named
    ? format === ts.ModuleKind.ESNext
      ? format
      : ts.ModuleKind.CommonJS
    : undefined;
  const { outputText, sourceMapText } = ts.transpileModule(text, {
    fileName: path,
    compilerOptions: {
      ...parsed,
      ...(module === undefined ? {} : { module, moduleResolution: undefined }),
      sourceMap: true,
      inlineSourceMap: false,
    },
  });
  return { code: outputText.replace(mapComment, '\n'), lines: linesOf(outputText, sourceMapText) };
}

/** Takes the types away, which keeps every line where it is; enumerations and the like are made to JavaScript. */
function stripText(options, text) {
  const strip = Module.stripTypeScriptTypes;
  if (!strip) throw new Error(`Node ${process.version} cannot take the types away`);
  const renamed = code =>
    options.rewriteRelativeImportExtensions
      ? code.replace(
          /(\b(?:from|import)\s*\(?\s*)(['"])(\.{1,2}\/[^'"\n]+)\.([cm]?)tsx?\2/g,
          '$1$2$3.$4js$2',
        )
      : code;
  try {
    return { code: renamed(strip(text, { mode: 'strip' })), lines: null };
  } catch {
    const made = strip(text, { mode: 'transform', sourceMap: true });
    const map = /base64,(\S+)\s*$/.exec(made)?.[1] ?? '';
    const lines = linesOf(made, Buffer.from(map, 'base64').toString());
    return { code: renamed(made.replace(mapComment, '\n')), lines };
  }
}

function linesOf(code, mapText) {
  const map = new Module.SourceMap(JSON.parse(mapText));
  return code.split('\n').map((line, at) => {
    const { generatedLine, originalLine } = map.findEntry(at, line.search(/\S|$/));
    return generatedLine === at ? originalLine + 1 : 0;
  });
}

/** Writes the output of each source anew. Throws if one cannot be made. */
function openCompiler(configs) {
  const ts = compilerOf();
  const sources = configs.flatMap(sourcesOf);
  if (sources.length === 0) throw new Error('the build makes nothing of TypeScript');
  const back = new Map();
  for (const source of sources) {
    const { code, lines } = compileText(ts, source, readFileSync(source.path, 'utf8'));
    writeFileSync(source.out, code);
    back.set(source.out, { path: source.path, lines });
  }
  const lineOf = (path, line) => {
    const { lines } = back.get(path);
    return lines === null ? line : (lines[line - 1] ?? 0);
  };
  const leadBack = ({ path, line }) =>
    back.has(path) ? { path: back.get(path).path, line: lineOf(path, line) } : { path, line };
  return {
    /** The files of a candidate with their outputs. */
    withOutputs(files) {
      const made = sources
        .filter(s => s.path in files)
        .map(s => [s.out, compiled(ts, s, files[s.path])]);
      return { ...files, ...Object.fromEntries(made) };
    },
    /** The result of a job in lines of the sources. */
    inSources(result) {
      const cases = result.cases.map(c =>
        c.frames ? { ...c, frames: c.frames.map(leadBack).filter(f => f.line > 0) } : c,
      );
      const coverage = result.coverage.map(c => ({ ...c, files: filesIn(c.files, leadBack) }));
      return { ...result, cases, coverage };
    },
  };
}

/** A candidate that cannot be compiled fails as it would in the build. */
function compiled(ts, source, text) {
  try {
    return compileText(ts, source, text).code;
  } catch (error) {
    return `throw new SyntaxError(${JSON.stringify(String(error?.message))});\n`;
  }
}

function filesIn(files, leadBack) {
  const found = {};
  for (const [path, lines] of Object.entries(files))
    for (const place of lines.map(line => leadBack({ path, line })))
      if (place.line > 0) {
        found[place.path] ??= new Set();
        found[place.path].add(place.line);
      }
  return Object.fromEntries(
    Object.entries(found).map(([path, lines]) => [path, [...lines].sort((a, b) => a - b)]),
  );
}

state.openCompiler = openCompiler;
