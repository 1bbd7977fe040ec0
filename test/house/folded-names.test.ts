/** Names that agents and servers choose are compared as the reader of messages compares them: `toLowerCase` alone lets the long s, and other letters, pass for none. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))
const folders = ["relay", "hold", "wire/methods"].map((folder) => `packages/gateway/src/${folder}`)
const files = folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
const sources = files.filter((file) => !file.endsWith(".test.ts") && !file.includes("/fixtures/"))

it("what is relayed is compared by foldedName, never by case alone", () => {
  expect(sources.length).toBeGreaterThan(50)
  const byCase = sources.filter((file) =>
    /\.to(?:Locale)?(?:Lower|Upper)Case\(/.test(readFileSync(join(root, file), "utf8")),
  )
  expect(byCase).toEqual([])
})
