import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { emptyPolicy } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { detectLanguage } from "./detect-language.ts"
import { byleaveJson } from "./programs/byleave-json.ts"

const folder = fileURLToPath(new URL("./fixtures/samples/", import.meta.url))

describe("the language of a text", () => {
  it.each(readdirSync(folder))("is told by what only that program writes: %s", (file) => {
    const id = file.replace(/\.[a-z]+$/, "").replace(/-(?:saved|settings)$/, "")
    expect(detectLanguage(readFileSync(`${folder}${file}`, "utf8"))?.id).toBe(id)
  })

  it("is not guessed where nothing tells", () => {
    expect(["", "{}", "hello", "version: 1\nservers: {}\n"].map(detectLanguage)).toEqual([null, null, null, null])
  })

  it("knows Byleave's own", () => {
    expect(detectLanguage(byleaveJson.write(emptyPolicy, { known: new Map() }).text)?.id).toBe("byleave")
  })
})
