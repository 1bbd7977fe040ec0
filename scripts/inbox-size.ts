import { readFileSync } from "node:fs"
import { join } from "node:path"
import { brotliCompressSync } from "node:zlib"
import { build } from "vite"

/** What a browser loads before the first page shows, in bytes as they travel. */
export type InboxSize = { readonly brotli: number; readonly files: number }

type Chunk = {
  readonly type: string
  readonly fileName: string
  readonly code?: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
  readonly facadeModuleId?: string | null
}

/** Builds the page in memory and follows the entry and the page that people land on, with everything both import. */
export async function inboxSize(root: string): Promise<InboxSize> {
  const output = await build({ root: join(root, "apps", "inbox"), logLevel: "error", build: { write: false } })
  const chunks = (output as unknown as { readonly output: readonly Chunk[] }).output.filter(
    ({ type }) => type === "chunk",
  )
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const first = chunks.filter(({ isEntry, facadeModuleId }) => isEntry === true || facadeModuleId?.endsWith(landing))
  const needed = new Set<string>()
  const need = (name: string): void => {
    if (needed.has(name)) return
    needed.add(name)
    for (const imported of byName.get(name)?.imports ?? []) need(imported)
  }
  for (const { fileName } of first) need(fileName)
  const sizes = [...needed].map((name) => brotliCompressSync(byName.get(name)?.code ?? "").length)
  return { brotli: sizes.reduce((sum, size) => sum + size, 0), files: sizes.length }
}

const landing = "waiting-page.tsx"

if (import.meta.main) {
  const { brotli, files } = await inboxSize(join(import.meta.dirname, ".."))
  const limit: unknown = JSON.parse(readFileSync(join(import.meta.dirname, "size-limit.json"), "utf8"))
  console.log(`${brotli} bytes in ${files} files, of ${(limit as { inbox: number }).inbox}`)
}
