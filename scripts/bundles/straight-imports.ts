import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Plugin } from "esbuild"

/**
 * Lets `import { decide } from "@byleave/core"` import from the file that defines `decide`. A bundler takes whoever imports a package's
 * entry to need everything the entry names; so each command would load what any of them uses.
 */
export function straightImports(root: string): Plugin {
  const homes = new Map<string, ReadonlyMap<string, string>>()
  const homesIn = (name: string): ReadonlyMap<string, string> => {
    const known = homes.get(name) ?? readEntry(root, name)
    homes.set(name, known)
    return known
  }
  return {
    name: "straight imports",
    setup: ({ onLoad }) => {
      onLoad({ filter: /[\\/](?:packages|apps)[\\/][^\\/]+[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
        const contents = readFileSync(path, "utf8")
          .replace(importOfZod, 'import * as z from "zod"')
          .replaceAll(importOfOurs, (whole, names: string, from: string) => {
            return straighten(whole, namesIn(names), from, homesIn(from))
          })
        return { contents, loader: "ts" }
      })
    },
  }
}

/** An object of everything; as a namespace it is only what is used of it. */
const importOfZod = /^import \{ z \} from "zod"$/m
const importOfOurs = /^import \{([^}]*)\} from "(@byleave\/[^"]+)"/gm
const exportOfAnother = /^export \{([^}]*)\} from "(\.[^"]+)"/gm

/** Which file defines each name that a package exports. Types are nobody's: they are gone by then. */
function readEntry(root: string, name: string): ReadonlyMap<string, string> {
  const [, folder = "", ...rest] = name.split("/")
  const home = join(root, "packages", folder)
  const { exports } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as {
    exports: Record<string, string>
  }
  const entry = join(home, exports[[".", ...rest].join("/")] ?? "")
  const text = readFileSync(entry, "utf8")
  return new Map(
    [...text.matchAll(exportOfAnother)].flatMap(([, names = "", file = ""]) =>
      namesIn(names).map((each) => [each, join(dirname(entry), file)] as const),
    ),
  )
}

function namesIn(list: string): readonly string[] {
  return list
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "" && !each.startsWith("type "))
}

/** All on one line, and as many lines as before: maps stay right. */
function straighten(whole: string, names: readonly string[], from: string, homes: ReadonlyMap<string, string>): string {
  const imports = names.map((name) => {
    const home = homes.get(name.split(" ")[0] ?? "") ?? from
    return `import { ${name} } from ${JSON.stringify(home)}`
  })
  return imports.join("; ") + "\n".repeat(whole.split("\n").length - 1)
}
