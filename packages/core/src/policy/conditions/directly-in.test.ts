import { describe, expect, it } from "vitest"
import type { JsonValue } from "../../call/json/json.ts"
import { links } from "../fixtures/links.ts"
import { compileConditions } from "./condition.ts"
import { compileDirectlyIn } from "./directly-in.ts"
import { createPathLookup, type PathContext } from "./path-lookup.ts"

const folders = ["/ws", "/ws/data"]

function directlyIn(text: string, context: PathContext, needsAll: boolean, named = folders): string {
  const judgement = compileDirectlyIn(named, needsAll, context)(text, createPathLookup(context))
  return typeof judgement === "string" ? judgement : "unjudged"
}

describe("directlyIn by text", () => {
  it.each([
    ["/ws/a", "holds"],
    ["/ws/a/", "holds"],
    ["/ws/./a", "holds"],
    ["/ws//a", "holds"],
    ["/ws/data", "holds"],
    ["/ws/data/a", "holds"],
    ["/ws/sub/../a", "holds"],
    ["/ws/data/sub/../../a", "holds"],
    ["/ws/..a", "holds"],
    ["/ws", "fails"],
    ["/ws/sub/a", "fails"],
    ["/ws/data/sub/a", "fails"],
    ["/ws/sub/../sub/a", "fails"],
    ["/ws/../a", "fails"],
    ["/ws/../../etc/passwd", "fails"],
    ["/ws-evil/a", "fails"],
    ["/WS/a", "fails"],
    ["/etc/passwd", "fails"],
    ["relative", "unjudged"],
    ["~/a", "unjudged"],
    ["", "unjudged"],
    ["/ws/%2e%2e/a", "unjudged"],
    ["file:///ws/a", "unjudged"],
  ])("%j: %s", (text, wanted) => {
    expect([directlyIn(text, {}, true), directlyIn(text, {}, false)]).toEqual([wanted, wanted])
  })

  it.each([
    { text: "a", bases: ["/ws"], allow: "holds", deny: "holds" },
    { text: "../a", bases: ["/ws/sub"], allow: "holds", deny: "holds" },
    { text: "sub/a", bases: ["/ws"], allow: "fails", deny: "fails" },
    { text: "..", bases: ["/ws"], allow: "fails", deny: "fails" },
    { text: "a", bases: ["/ws", "/ws/data"], allow: "fails", deny: "holds" },
    { text: "a", bases: ["/ws", "/ws/sub"], allow: "fails", deny: "holds" },
    { text: "a", bases: ["/ws", "/home"], allow: "fails", deny: "holds" },
    { text: "a", bases: [], allow: "unjudged", deny: "unjudged" },
  ])("$text from $bases: an allow $allow, a deny $deny", ({ text, bases, allow, deny }) => {
    expect([directlyIn(text, { bases }, true), directlyIn(text, { bases }, false)]).toEqual([allow, deny])
  })

  it("leaves a relative path to a person where the agent names the folders", () => {
    for (const needsAll of [true, false]) {
      const judge = compileDirectlyIn(["/ws"], needsAll, { bases: ["/ws"] })
      const atRoots = createPathLookup({}, true)
      expect(judge("a", atRoots)).toMatchObject({ unjudged: expect.stringContaining("the agent tells the server") })
      expect(judge("/ws/a", atRoots)).toBe("holds")
    }
  })

  it("takes letters of either case for the same only when told so, and doubts letters beyond ASCII", () => {
    const context = { caseInsensitivePaths: true }
    for (const needsAll of [true, false]) {
      expect(directlyIn("/WS/a", context, needsAll)).toBe("holds")
      expect(directlyIn("/WS/sub/a", context, needsAll)).toBe("fails")
      expect(directlyIn("/srv/\u00c9/a", context, needsAll, ["/srv/\u00e9"])).toBe("unjudged")
    }
  })

  it.each([
    ["C:\\ws\\a", "holds"],
    ["c:/WS/a", "holds"],
    ["C:\\ws\\sub\\a", "fails"],
    ["C:\\ws", "fails"],
    ["C:\\ws\\a.txt:stream", "unjudged"],
  ])("on Windows, %j: %s", (text, wanted) => {
    expect(directlyIn(text, {}, true, ["C:\\ws"])).toBe(wanted)
    expect(directlyIn(text, {}, false, ["C:\\ws"])).toBe(wanted)
  })

  it("does not judge by a folder that is not absolute", () => {
    expect(directlyIn("/ws/a", {}, true, ["ws"])).toBe("unjudged")
    expect(directlyIn("/ws/a", {}, false, ["ws"])).toBe("unjudged")
  })
})

describe("directlyIn where paths can be seen", () => {
  const realPaths = links({
    "/ws/out": "/etc",
    "/ws/into": "/ws/sub/deep",
    "/ws/alias": "/ws/a",
    "/home/in": "/ws",
    "/home/file": "/ws/a",
    "/link": "/real/ws",
  })

  it.each([
    { text: "/ws/a", allow: "holds", deny: "holds" },
    { text: "/ws/alias", allow: "holds", deny: "holds" },
    { name: "a link that leads away", text: "/ws/out", allow: "fails", deny: "holds" },
    { name: "a link that leads below", text: "/ws/into", allow: "fails", deny: "holds" },
    { name: "below a link", text: "/ws/out/passwd", allow: "fails", deny: "fails" },
    { name: "a way in from elsewhere", text: "/home/in/a", allow: "fails", deny: "holds" },
    { name: "a link from elsewhere", text: "/home/file", allow: "fails", deny: "holds" },
    { name: "by another way, but below", text: "/home/in/sub/a", allow: "fails", deny: "fails" },
    { name: "climbing behind a link", text: "/ws/into/../../a", allow: "fails", deny: "holds" },
    { name: "climbing to a folder below", text: "/ws/into/../a", allow: "fails", deny: "holds" },
    { name: "climbing out behind a link", text: "/ws/out/../a", allow: "fails", deny: "holds" },
    { text: "/home/a", allow: "fails", deny: "fails" },
    { name: "nobody can tell", text: "/dark/a", allow: "fails", deny: "holds" },
    { name: "no system has it", text: "/ws/a\0b", allow: "unjudged", deny: "holds" },
  ])("$name $text: an allow $allow, a deny $deny", ({ text, allow, deny }) => {
    const context = { realPaths }
    expect([directlyIn(text, context, true), directlyIn(text, context, false)]).toEqual([allow, deny])
  })

  it.each([
    { text: "/link/a", allow: "holds", deny: "holds" },
    { text: "/real/ws/a", allow: "fails", deny: "holds" },
    { text: "/link/sub/a", allow: "fails", deny: "fails" },
    { text: "/real/ws/sub/a", allow: "fails", deny: "fails" },
  ])("a folder that is a link, $text: an allow $allow, a deny $deny", ({ text, allow, deny }) => {
    const context = { realPaths }
    expect([directlyIn(text, context, true, ["/link"]), directlyIn(text, context, false, ["/link"])]).toEqual([
      allow,
      deny,
    ])
  })
})

describe("directlyIn as a condition", () => {
  it.each<{ sent: JsonValue | undefined; allow: string; deny: string }>([
    { sent: "/ws/a", allow: "holds", deny: "holds" },
    { sent: ["/ws/a", "/ws/data/b"], allow: "holds", deny: "holds" },
    { sent: ["/ws/a", "/ws/sub/b"], allow: "fails", deny: "holds" },
    { sent: ["/ws/sub/a", "/etc/b"], allow: "fails", deny: "fails" },
    { sent: ["/ws/a", 5], allow: "unjudged", deny: "holds" },
    { sent: ["/etc/a", 5], allow: "fails", deny: "unjudged" },
    { sent: [["/ws/a"], ["/ws/b"]], allow: "holds", deny: "holds" },
    { sent: [], allow: "unjudged", deny: "fails" },
    { sent: 5, allow: "unjudged", deny: "unjudged" },
    { sent: null, allow: "unjudged", deny: "unjudged" },
    { sent: true, allow: "unjudged", deny: "unjudged" },
    { sent: { path: "/ws/a" }, allow: "unjudged", deny: "unjudged" },
    { sent: undefined, allow: "unjudged", deny: "unjudged" },
  ])("$sent: an allow $allow, a deny or ask $deny", ({ sent, allow, deny }) => {
    const args = sent === undefined ? {} : { path: sent }
    const judged = (["allow", "deny", "ask"] as const).map((effect) => {
      const judgement = compileConditions([{ key: "path", op: "directlyIn", folders }], effect, {})(args)
      return typeof judgement === "string" ? judgement : "unjudged"
    })
    expect(judged).toEqual([allow, deny, deny])
  })

  it("names the argument that it cannot judge", () => {
    const judge = compileConditions([{ key: "path", op: "directlyIn", folders }], "deny", {})
    expect(judge({ path: "a" })).toMatchObject({ unjudged: expect.stringContaining('the argument "path" is relative') })
  })
})
