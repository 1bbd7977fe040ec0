/** The side panel as a folder that Chrome loads, and as a zip. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { build } from "vite"
import { zipFiles } from "./zip-files.ts"

export type BuiltExtension = { readonly folder: string; readonly zip: string }

export async function buildExtension(root: string, folder: string): Promise<BuiltExtension> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(dirname(folder), { recursive: true })
  await build({
    root: join(root, "apps", "side-panel"),
    logLevel: "error",
    build: { outDir: folder, emptyOutDir: true, chunkSizeWarningLimit: 2_000 },
  })
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .sort()
  const zip = `${folder}.zip`
  writeFileSync(zip, zipFiles(names.map((name) => ({ name, contents: readFileSync(join(folder, name)) }))))
  return { folder, zip }
}
