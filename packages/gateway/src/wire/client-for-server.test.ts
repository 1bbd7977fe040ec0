import { describe, expect, it } from "vitest"
import { abilitiesForServer, clientForServer } from "./client-for-server.ts"

const words = "words for the server"

describe("what a server is told of a client", () => {
  it.each(["legacy", "modern"] as const)("I1: is what the %s era has a word for, and no word of the client", (era) => {
    const told = abilitiesForServer(era, {
      roots: { listChanged: true, words },
      sampling: { context: { words }, tools: {}, words: {} },
      elicitation: { form: { applyDefaults: true, [words]: 1 }, url: [words] },
      tasks: { list: {}, requests: { sampling: { createMessage: { words } } } },
      experimental: { words },
      extensions: {
        "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app", words] },
        "io.modelcontextprotocol/tasks": { words },
        [`${words}/x`]: {},
      },
      [words]: {},
    })
    const ui = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } }
    const both = { sampling: { context: {}, tools: {} }, elicitation: { form: { applyDefaults: true } } }
    expect(told).toEqual(
      era === "legacy"
        ? {
            ...both,
            roots: { listChanged: true },
            tasks: { list: {}, requests: { sampling: { createMessage: {} } } },
            extensions: ui,
          }
        : { ...both, roots: {}, extensions: { ...ui, "io.modelcontextprotocol/tasks": {} } },
    )
  })

  it("I1: is nothing where it declares nothing, or nothing of that form", () => {
    expect(abilitiesForServer("modern", {})).toEqual({})
    expect(abilitiesForServer("modern", { sampling: words, roots: [words], elicitation: null })).toEqual({})
  })

  it("I2: is its name and version, shortened", () => {
    const plain = { name: "agent", version: "1" }
    expect(clientForServer(plain)).toBe(plain)
    expect(clientForServer({ ...plain, title: words, websiteUrl: words })).toEqual(plain)
    expect(clientForServer({ name: "n".repeat(8_000), version: "v".repeat(8_000) })).toEqual({
      name: "n".repeat(100),
      version: "v".repeat(100),
    })
  })
})
