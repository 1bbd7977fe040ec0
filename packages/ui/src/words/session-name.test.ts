import { describe, expect, it } from "vitest"
import { sessionName, shortSessionName } from "./session-name.ts"

const of = { principal: "laptop", id: "s1", named: true }
const firstCall = { server: "files", tool: "read_file" }
const unknown = { label: null, client: null, folder: null, firstCall: null }
const editor = { label: null, client: "editor 1.0", folder: "/home/ada/site/", firstCall }

describe("a session", () => {
  it.each([
    { session: { ...editor, label: "Release" }, long: "Release", short: "Release" },
    { session: editor, long: "editor 1.0 in site · began with files(read_file)", short: "editor 1.0 in site" },
    {
      session: { ...editor, folder: "C:\\work\\site" },
      long: "editor 1.0 in site · began with files(read_file)",
      short: "editor 1.0 in site",
    },
    {
      session: { ...editor, folder: "/" },
      long: "editor 1.0 in / · began with files(read_file)",
      short: "editor 1.0 in /",
    },
    {
      session: { ...editor, client: null, folder: null },
      long: "laptop · began with files(read_file)",
      short: "laptop",
    },
    { session: { ...unknown, client: "editor 1.0" }, long: "editor 1.0", short: "editor 1.0" },
    { session: unknown, long: "laptop · s1", short: "laptop" },
    { session: null, long: "laptop · s1", short: "laptop" },
  ])("is called $long, and in short $short", ({ session, long, short }) => {
    expect(sessionName(session, of)).toBe(long)
    expect(shortSessionName(session, of)).toBe(short)
  })

  it("is the agent alone where it is nothing but that", () => {
    expect(sessionName(null, { principal: "laptop", id: "laptop", named: false })).toBe("laptop")
  })
})
