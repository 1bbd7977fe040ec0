import type { CurrentContentView } from "@byleave/api"
import { describe, expect, it } from "vitest"
import { comparedWith } from "./compared-with.ts"

const by = { server: "files", tool: "read_file" }
const text: CurrentContentView = { kind: "text", path: "a", text: "x", by }
const absent: CurrentContentView = { kind: "absent", path: "a", by }
const unavailable: CurrentContentView = { kind: "unavailable", why: "It was stopped." }

describe("what a change is compared with", () => {
  it.each([
    { name: "what is read now", now: absent, kept: text, isPending: true, content: absent, notAgain: null },
    {
      name: "what was read before",
      now: unavailable,
      kept: text,
      isPending: true,
      content: text,
      notAgain: "It was stopped.",
    },
    { name: "nothing, and why", now: unavailable, kept: null, isPending: true, content: unavailable, notAgain: null },
    { name: "nothing yet", now: null, kept: null, isPending: true, content: null, notAgain: null },
    {
      name: "what was read while it waited",
      now: unavailable,
      kept: text,
      isPending: false,
      content: text,
      notAgain: null,
    },
    {
      name: "nothing that was not read",
      now: unavailable,
      kept: null,
      isPending: false,
      content: null,
      notAgain: null,
    },
  ])("$name", ({ now, kept, isPending, content, notAgain }) => {
    expect(comparedWith(now, kept, isPending)).toEqual({ content, notAgain })
  })
})
