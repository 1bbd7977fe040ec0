/** The page as files, each also packed, put beside the bundled command. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, extname, join } from "node:path"
import { brotliCompressSync, constants } from "node:zlib"
import { build } from "vite"
import { configSchema } from "../../packages/formats/src/index.ts"

/** How long files of earlier builds stay: a page that is open may still ask for them. */
const keepMs = 24 * 60 * 60_000
const packable: ReadonlySet<string> = new Set([".html", ".js", ".css", ".svg", ".webmanifest", ".json"])

export async function buildInbox(root: string, folder: string): Promise<void> {
  const draft = mkdtempSync(join(tmpdir(), "byleave-inbox-"))
  const started = Date.now()
  try {
    const inbox = join(root, "apps", "inbox")
    await build({ root: inbox, logLevel: "warn", build: { outDir: draft, emptyOutDir: true } })
    // Editors read it without a credential, and so does the page.
    writeFileSync(join(draft, "byleave.schema.json"), `${JSON.stringify(configSchema, null, 2)}\n`)
    const names = filesBelow(draft)
    // The document last: a browser that loads it meanwhile finds everything it names.
    for (const name of names.toSorted((a, b) => Number(a.endsWith(".html")) - Number(b.endsWith(".html")))) {
      const contents = readFileSync(join(draft, name))
      if (packable.has(extname(name))) put(join(folder, `${name}.br`), packed(contents))
      put(join(folder, name), contents)
    }
    const current = new Set(names)
    for (const name of filesBelow(folder)) {
      const isOld = statSync(join(folder, name)).mtimeMs < started - keepMs
      if (isOld && !current.has(name.replace(/\.br$/, ""))) rmSync(join(folder, name), { force: true })
    }
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

function packed(contents: Buffer): Buffer {
  return brotliCompressSync(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
}

function put(path: string, contents: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true })
  const half = `${path}.${process.pid}`
  writeFileSync(half, contents)
  renameSync(half, path)
}

function filesBelow(folder: string, below = ""): readonly string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const name = below === "" ? entry.name : `${below}/${entry.name}`
    return entry.isDirectory() ? filesBelow(folder, name) : [name]
  })
}
