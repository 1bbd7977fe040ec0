import { describe, expect, it } from "vitest"
import { isOwnPage, readType, typeOf } from "./messages.ts"

describe("types of messages", () => {
  it.each(["tracker", "a/b", "mcp/x/tool/call", "ü %2F"])(
    "R177: name the server %j and the verb, and nothing else",
    (server) => {
      expect(readType(typeOf(server, "tool/call"))).toEqual({ server, verb: "tool/call" })
      expect(typeOf(server, "tools/list").split("/")).toHaveLength(4)
    },
  )

  it.each(["", "mcp/x", "mcp//tool/call", "mcp/x/tool/approve", "panel/waiting", "x/mcp/a/tool/call"])(
    "know nothing of %j",
    (type) => {
      expect(readType(type)).toBeNull()
    },
  )
})

describe("I1: only the panel's own page is answered", () => {
  const here = { id: "own", page: "chrome-extension://own/panel.html" }
  it.each([
    { name: "the panel", sender: { id: "own", url: `${here.page}?x#y` }, isOwn: true },
    { name: "another extension", sender: { id: "other", url: here.page }, isOwn: false },
    {
      name: "another page of this extension",
      sender: { id: "own", url: "chrome-extension://own/manifest.json" },
      isOwn: false,
    },
    { name: "a script in a web page", sender: { id: "own", url: "https://evil.example/panel.html" }, isOwn: false },
    { name: "a sender that hides its page", sender: { id: "own" }, isOwn: false },
    { name: "a sender that hides its extension", sender: { url: here.page }, isOwn: false },
  ])("$name: $isOwn", ({ sender, isOwn }) => {
    expect(isOwnPage(sender, here)).toBe(isOwn)
  })
})
