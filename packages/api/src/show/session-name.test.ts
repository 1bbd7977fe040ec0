import { describe, expect, it } from "vitest"
import { connectionWords, sessionName, shortSessionName } from "./session-name.ts"

const firstCall = { server: "files", tool: "read_file" }
const unknown = { label: null, client: null, folder: null, firstCall: null }
const editor = { label: null, client: "editor 1.0", folder: "/home/ada/site/", firstCall }
const token = { principal: "laptop", id: "s1", named: true }
const wrap = { principal: "wrap:files", id: "4711-mh8k2", named: true }
const newerWrap = { ...wrap, principal: "wrap-0123456789ab:files" }
const run = { principal: "run", id: "r1", named: true }
const anonymous = { principal: "anonymous", id: "s1", named: true }

describe("a session", () => {
  it.each([
    { of: token, session: { ...editor, label: "Release" }, short: "Release", rest: "" },
    { of: token, session: editor, short: "laptop · editor 1.0 in site", rest: " · began with files(read_file)" },
    { of: anonymous, session: editor, short: "editor 1.0 in site", rest: " · began with files(read_file)" },
    { of: wrap, session: editor, short: "editor 1.0 in site", rest: " · began with files(read_file)" },
    { of: newerWrap, session: editor, short: "editor 1.0 in site", rest: " · began with files(read_file)" },
    { of: wrap, session: { ...unknown, folder: "C:\\work\\site" }, short: "wrap:files in site", rest: "" },
    { of: wrap, session: { ...editor, folder: "/", firstCall: null }, short: "editor 1.0 in /", rest: "" },
    { of: token, session: { ...unknown, firstCall }, short: "laptop", rest: " · began with files(read_file)" },
    { of: anonymous, session: { ...unknown, client: "editor 1.0" }, short: "editor 1.0", rest: "" },
    { of: token, session: unknown, short: "laptop", rest: " · s1" },
    { of: run, session: { ...unknown, runTitle: "Tidy · notes" }, short: "run · Tidy • notes", rest: "" },
    { of: run, session: { ...unknown, runTitle: "Tidy", label: "Notes" }, short: "Notes", rest: "" },
    { of: wrap, session: null, short: "wrap:files", rest: " · 4711-mh8k2" },
  ])("of $of.principal is called $short, and in full also$rest", ({ of, session, short, rest }) => {
    expect(shortSessionName(session, of)).toBe(short)
    expect(sessionName(session, of)).toBe(`${short}${rest}`)
  })

  it("is the agent alone where it is nothing but that", () => {
    expect(sessionName(null, { principal: "laptop", id: "laptop", named: false })).toBe("laptop")
  })

  it("I1: has no more parts than are known of it, whatever its client calls itself", () => {
    const liar = { ...editor, client: "laptop · editor 1.0", folder: "/srv/site · began with files(read_file)" }
    expect(sessionName({ ...liar, firstCall: null }, anonymous)).toBe(
      "laptop • editor 1.0 in site • began with files(read_file)",
    )
  })

  it.each([
    { connection: { state: "connected" }, lastSeenAt: 1, words: "connected" },
    { connection: { state: "gone", since: 2 }, lastSeenAt: 1, words: "disconnected at 2" },
    { connection: { state: "unknown" }, lastSeenAt: 1, words: "last seen at 1" },
    { connection: { state: "unknown" }, lastSeenAt: null, words: "not seen recently" },
  ] as const)("is $words", ({ words, ...session }) => {
    expect(connectionWords(session, (at) => `at ${at}`)).toBe(words)
  })
})
