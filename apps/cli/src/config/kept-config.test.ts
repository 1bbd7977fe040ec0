import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { keepConfigText, serviceConfig, type WholeText } from "./kept-config.ts"

const key = "00"
const file = "/srv/byleave.yaml"
const whole = (text: string, policy = "1"): WholeText => ({ text, templates: new Map(), policy })
const isKept = (text: string, policy?: string) => serviceConfig(data)?.isInForce(() => key, whole(text, policy))

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "byleave-kept-"))
  keepConfigText(data, key, file, { whole: whole("a"), inForce: "A" })
  expect(isKept("a")).toBe(true)
})
afterEach(() => rmSync(data, { recursive: true, force: true }))

it("I1: a text stays known while what it said is in force, and an edit of it waits", () => {
  keepConfigText(data, key, file, { whole: null, inForce: "A" })
  expect(isKept("a")).toBe(true)
})

it("I1: it counts no more once something else is in force, and not when that is undone in part", () => {
  keepConfigText(data, key, file, { whole: null, inForce: "A and more" })
  expect(isKept("a")).toBe(false)
  keepConfigText(data, key, file, { whole: null, inForce: "A" })
  expect(isKept("a")).toBe(false)
  keepConfigText(data, key, file, { whole: whole("a"), inForce: "A" })
  expect(isKept("a")).toBe(true)
})

it.each([{ text: whole("a") }, { text: null }])(
  "I1: no text counts where the rules are kept elsewhere: $text",
  ({ text }) => {
    keepConfigText(data, key, file, { whole: text, inForce: null })
    expect(isKept("a")).toBe(false)
    keepConfigText(data, key, file, { whole: null, inForce: "A" })
    expect(isKept("a")).toBe(false)
  },
)

it("I1: nor does the text of another file", () => {
  keepConfigText(data, key, "/srv/other.yaml", { whole: null, inForce: "A" })
  expect(serviceConfig(data)?.file).toBe("/srv/other.yaml")
  expect(isKept("a")).toBe(false)
})

it("I2: nor does the same text where other rules are read from it", () => {
  expect(isKept("a", "2")).toBe(false)
})
