/** `npm run build`: bundles the `byleave` command into apps/cli/dist, which is what people run. */
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { build, type Plugin } from "esbuild"
import { buildInbox } from "./bundles/build-inbox.ts"
import { leanBuiltins } from "./bundles/lean-builtins.ts"
import { straightImports } from "./bundles/straight-imports.ts"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const home = join(root, "apps", "cli", "dist")
const entry = "byleave.js"

/** How long parts of earlier builds stay: a process that was just started may still be loading them. */
const keepMs = 60 * 60_000

/** Builds at once, and processes that run from an earlier build, do each other no harm. */
export async function buildCommand(folder: string): Promise<void> {
  const started = new Date()
  const { outputFiles } = await build({
    entryPoints: { byleave: join(root, "apps/cli/src/main.ts") },
    // As if: what stands in the bundle does not depend on where it is put.
    outdir: home,
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    chunkNames: "[name]-[hash]",
    format: "esm",
    platform: "node",
    target: "node22.18",
    sourcemap: "linked",
    sourcesContent: false,
    // The engine keeps the text of what it runs.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 200,
    write: false,
    // Its other form asks for its parts in a way that cannot be bundled.
    alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
    external: ["pg"],
    plugins: [straightImports(root), ownModules, leanBuiltins],
    banner: { js: requireForCommonJs },
    logLevel: "warning",
  })
  mkdirSync(folder, { recursive: true })
  // The entry last: a program started meanwhile finds all parts of the entry it read.
  const files = outputFiles.toSorted((a, b) => Number(basename(a.path) === entry) - Number(basename(b.path) === entry))
  for (const { path, contents } of files) writeWhole(join(folder, basename(path)), contents)
  writeWhole(join(folder, "built"), new Uint8Array())
  // As of when the sources were read: what was edited meanwhile is newer.
  utimesSync(join(folder, "built"), started, started)
  removeOld(folder, new Set(files.map(({ path }) => basename(path))), started.getTime() - keepMs)
}

/** Our modules do nothing but define their exports: unused exports are left out. */
const ownModules: Plugin = {
  name: "own modules",
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /^(?:\.{1,2}\/|\/|@byleave\/)/ }, async ({ path, pluginData, ...options }) => {
      if (pluginData === asked || options.importer.includes("node_modules")) return undefined
      const found = await resolve(path, { ...options, pluginData: asked })
      return found.errors.length > 0 ? found : { ...found, sideEffects: false }
    })
  },
}
const asked = Symbol("asked")

/** Bundled CommonJS asks for Node's own modules, and for nothing else, by `require`, which modules do not have. */
const requireForCommonJs = "const require = (name) => process.getBuiltinModule(name);"

function writeWhole(path: string, contents: Uint8Array): void {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, contents)
  renameSync(draft, path)
}

function removeOld(folder: string, current: ReadonlySet<string>, before: number): void {
  for (const name of readdirSync(folder)) {
    if (current.has(name) || !/\.js(?:\.map)?(?:\.\d+)?$/.test(name)) continue
    const path = join(folder, name)
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < before) rmSync(path, { force: true })
  }
}

if (import.meta.main) {
  await Promise.all([buildInbox(root, join(home, "inbox")), buildCommand(home)]).catch((cause: Error) => {
    // Errors in a source have been printed already.
    if (!("errors" in cause)) console.error(cause.message)
    process.exitCode = 1
  })
}
