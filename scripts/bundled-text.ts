// What `import text from "./dashboard-app.tsx?bundled"` gives: the script or the stylesheet, bundled for a browser, as a
// string. So a page is written as modules, checked like all code, and the package carries it without a file to read.
import { dirname, relative, resolve } from "node:path";
import { build, type Plugin as EsbuildPlugin } from "esbuild";

const SUFFIX = "?bundled";

/** The text, and the files in it, which no source map names. */
export async function bundle(path: string): Promise<{ text: string; sources: string[] }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [path],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: path.endsWith(".css") ? "esm" : "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    jsx: "automatic",
    jsxImportSource: "preact",
  });
  return { text: outputFiles[0]?.text ?? "", sources: Object.keys(metafile.inputs) };
}

/** For tsup. */
export const bundledTextForEsbuild: EsbuildPlugin = {
  name: "bundled-text",
  setup(esbuild) {
    esbuild.onResolve({ filter: /\?bundled$/ }, ({ path, resolveDir }) => ({
      // With its suffix, because other plugins look for files that end in .css; relative, because esbuild
      // writes it into what it builds.
      path: relative(process.cwd(), resolve(resolveDir, path)),
      namespace: "bundled-text",
    }));
    esbuild.onLoad({ filter: /./, namespace: "bundled-text" }, async ({ path }) => ({
      contents: (await bundle(path.slice(0, -SUFFIX.length))).text,
      loader: "text",
    }));
  },
};

const VIRTUAL = "\0bundled-text:";
const ENDING = ".txt"; // not .css: vitest leaves nothing of a stylesheet

/** For vitest. */
export const bundledTextForVite = {
  name: "bundled-text",
  enforce: "pre" as const,
  resolveId(source: string, importer?: string): string | undefined {
    if (source.startsWith(VIRTUAL)) return source;
    if (!source.endsWith(SUFFIX) || importer === undefined) return undefined;
    return `${VIRTUAL}${resolve(dirname(importer), source.slice(0, -SUFFIX.length))}${ENDING}`;
  },
  async load(id: string): Promise<string | undefined> {
    if (!id.startsWith(VIRTUAL)) return undefined;
    const { text } = await bundle(id.slice(VIRTUAL.length, -ENDING.length));
    return `export default ${JSON.stringify(text)};`;
  },
};
