import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { brotliCompressSync } from "node:zlib"

export type PanelSize = {
  /** Everything the worker loads. */
  readonly worker: number
  /** Everything the panel loads before it can be used. */
  readonly panel: number
  /** The panel with everything it may load later: the loop with its library of models, and Markdown. */
  readonly all: number
}

/** JavaScript of a built side panel, in bytes as packed. */
export function panelSize(folder: string): PanelSize {
  const scripts = new Map(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".js"))
      .map((name) => [name.replaceAll("\\", "/"), readFileSync(join(folder, name), "utf8")]),
  )
  const worker = neededBy(scripts, "worker.js", /\bimport\s*(?:[^"'()]*?from\s*)?["']([^"']+)["']/g)
  const panel = neededBy(scripts, "panel.js", /\bimport\s*(?:[^"'()]*?from\s*)?["']([^"']+)["']/g)
  const all = neededBy(scripts, "panel.js", /\bimport\s*(?:\(|[^"'()]*?from\s*)?["'`]([^"'`]+)["'`]/g)
  const weigh = (names: ReadonlySet<string>): number =>
    [...names].reduce((sum, name) => sum + brotliCompressSync(scripts.get(name) ?? "").length, 0)
  return { worker: weigh(worker), panel: weigh(panel), all: weigh(all) }
}

function neededBy(scripts: ReadonlyMap<string, string>, entry: string, imports: RegExp): ReadonlySet<string> {
  const needed = new Set<string>()
  const need = (name: string): void => {
    const text = scripts.get(name)
    if (text === undefined || needed.has(name)) return
    needed.add(name)
    for (const [, path = ""] of text.matchAll(imports)) {
      if (path.startsWith(".")) need(new URL(path, `file:///${name}`).pathname.slice(1))
    }
  }
  need(entry)
  return needed
}
