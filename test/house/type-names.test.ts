import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))

it("an exported type has one name in the house, and a name one type", () => {
  const places = new Map<string, readonly string[]>()
  for (const file of globSync("{packages,apps}/*/src/**/*.{ts,tsx}", { cwd: root })) {
    if (/\.test\.|node_modules|\/(?:fixtures|contract)\//.test(file)) continue
    const text = readFileSync(join(root, file), "utf8")
    for (const [, name = ""] of text.matchAll(/^export (?:type|interface|(?:abstract )?class) (\w+)/gm)) {
      places.set(name, [...(places.get(name) ?? []), file])
    }
  }
  expect([...places].filter(([, files]) => files.length > 1)).toEqual([])
})
