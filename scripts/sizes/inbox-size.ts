import { readFileSync } from "node:fs"
import { join } from "node:path"
import { brotliCompressSync } from "node:zlib"
import { build } from "vite"

/** The size of everything a browser loads before a page can be used, in bytes as they travel. */
export type PageSize = { readonly brotli: number; readonly files: number }

/** `waiting` is the page that people land on. */
export type InboxSize = { readonly waiting: PageSize; readonly chat: PageSize }

type Chunk = {
  readonly type: string
  readonly fileName: string
  readonly code?: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
  readonly facadeModuleId?: string | null
}

/** Builds the inbox in memory and follows, for each page, the entry and the page with everything both import. */
export async function inboxSize(root: string): Promise<InboxSize> {
  const output = await build({ root: join(root, "apps", "inbox"), logLevel: "error", build: { write: false } })
  const chunks = (output as unknown as { readonly output: readonly Chunk[] }).output.filter(
    ({ type }) => type === "chunk",
  )
  return { waiting: sizeOf(chunks, "waiting-page.tsx"), chat: sizeOf(chunks, "chat-page.tsx") }
}

function sizeOf(chunks: readonly Chunk[], page: string): PageSize {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const first = chunks.filter(({ isEntry, facadeModuleId }) => isEntry === true || facadeModuleId?.endsWith(page))
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

if (import.meta.main) {
  const { waiting, chat } = await inboxSize(join(import.meta.dirname, "../.."))
  const limit: unknown = JSON.parse(readFileSync(join(import.meta.dirname, "size-limit.json"), "utf8"))
  const most = limit as { readonly inbox: number; readonly chat: number }
  console.log(`waiting calls: ${waiting.brotli} bytes in ${waiting.files} files, of ${most.inbox}`)
  console.log(`chat: ${chat.brotli} bytes in ${chat.files} files, of ${most.chat}`)
}
