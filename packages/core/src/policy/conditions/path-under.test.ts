import { posix, win32 } from "node:path"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { links } from "../fixtures/links.ts"
import { createPathLookup, type PathContext } from "./path-lookup.ts"
import { compileUnder } from "./path-under.ts"

function under(folder: string, text: string, context: PathContext = {}, maybe = false): string {
  const judgement = compileUnder(folder, maybe ? "maybe-inside" : "surely-inside", context)(text)
  return typeof judgement === "string" ? judgement : "unjudged"
}

describe("compileUnder by text", () => {
  it.each([
    ["/srv/ws", "/srv/ws", "holds"],
    ["/srv/ws", "/srv/ws/", "holds"],
    ["/srv/ws", "/srv/ws/a/b.txt", "holds"],
    ["/srv/ws/", "/srv/ws/a", "holds"],
    ["/srv/ws", "/srv//ws/./a", "holds"],
    ["/srv/ws", "//srv/ws/a", "holds"],
    ["/srv/ws", "/srv/ws/.git/config", "holds"],
    ["/srv/ws", "/srv/ws/a/../b", "holds"],
    ["/srv/ws", "/srv/ws/..a", "holds"],
    ["/srv/ws", "/srv/ws/100%.txt", "holds"],
    ["/srv/ws", "/srv/ws/ü b", "holds"],
    ["/", "/anything", "holds"],
    ["/srv/ws", "/srv/ws-evil/a", "fails"],
    ["/srv/ws", "/srv/ws/../ws-evil", "fails"],
    ["/srv/ws", "/srv/ws/../../etc/passwd", "fails"],
    ["/srv/ws", "/../../srv", "fails"],
    ["/srv/ws", "/srv/WS/a", "fails"],
    ["/srv/ws", "/etc/passwd", "fails"],
  ])("in %s, %j: %s", (folder, text, wanted) => {
    expect(under(folder, text)).toBe(wanted)
    expect(under(folder, text, {}, true)).toBe(wanted)
  })

  it.each([
    "",
    "~",
    "~/x",
    "$HOME/x",
    "file:///srv/ws/a",
    "C:\\srv\\ws\\a",
    "C:/srv/ws",
    "/srv/ws/a\0.txt",
    "/srv/ws/a\nb",
    " /srv/ws/a",
    "/srv/ws/a ",
    "/srv/ws/..\\..\\etc",
    "/srv/ws/%2e%2e/etc",
    "/srv/ws/%2E%2e%2fetc",
    "/srv/ws/%252e%252e/etc",
  ])("I3: leaves %j to a person", (text) => {
    expect(under("/srv/ws", text, { bases: ["/srv/ws"] })).toBe("unjudged")
    expect(under("/srv/ws", text, { bases: ["/srv/ws"] }, true)).toBe("unjudged")
  })

  it.each([
    ["/srv/ws", `/srv/ws/${"a".repeat(4_096)}`],
    ["/srv/ws", "a/".repeat(2_049)],
    ["C:\\work", `C:\\work\\${"x".repeat(4_096)}`],
    // Quadratic in its blanks, this would not end.
    ["C:\\work", `C:\\work\\x${" ".repeat(300_000)}x`],
  ])("I3: leaves a path to a person that is longer than any: in %s", (folder, text) => {
    expect(under(folder, text, { bases: [folder] })).toBe("unjudged")
    expect(under(folder, text, { bases: [folder] }, true)).toBe("unjudged")
  })

  it.each(["x.", "x ", "x . .", "...", " ", ". ", ".. ", "PROGRA~1"])(
    "I3: leaves a name to a person that Windows reads as another: %j",
    (name) => {
      expect(under("C:\\work", `C:\\work\\${name}\\y`)).toBe("unjudged")
    },
  )

  it("I3: leaves a relative path to a person where its beginning is not known", () => {
    expect(under("/srv/ws", "relative/path")).toBe("unjudged")
    expect(under("/srv/ws", "relative/path", {}, true)).toBe("unjudged")
  })

  it.each([
    ["a/b", "holds"],
    ["./a", "holds"],
    [".", "holds"],
    ["../ws/a", "holds"],
    ["..", "fails"],
    ["../ws-evil", "fails"],
    ["a/../../x", "fails"],
  ])("starts a relative path at the working directory: %s %s", (text, wanted) => {
    expect(under("/srv/ws", text, { bases: ["/srv/ws"] })).toBe(wanted)
  })

  it.each([
    { text: "a", bases: ["/srv/ws", "/srv/ws/data"], allow: "holds", deny: "holds" },
    { text: "a", bases: ["/srv/ws", "/home"], allow: "fails", deny: "holds" },
    { text: "../a", bases: ["/srv/ws", "/srv/ws/data"], allow: "fails", deny: "holds" },
    { text: "a", bases: ["/home", "/tmp"], allow: "fails", deny: "fails" },
    { text: "a", bases: ["/srv/ws", "ws"], allow: "unjudged", deny: "holds" },
    { text: "a", bases: [], allow: "unjudged", deny: "unjudged" },
    { text: "/srv/ws/a", bases: ["/home"], allow: "holds", deny: "holds" },
  ])("I6: $text from $bases: an allow $allow, a deny $deny", ({ text, bases, allow, deny }) => {
    expect(under("/srv/ws", text, { bases })).toBe(allow)
    expect(under("/srv/ws", text, { bases }, true)).toBe(deny)
  })

  it.each(["surely-inside", "maybe-inside"] as const)(
    "I6: leaves it to a person where the agent names the folders: %s",
    (wanted) => {
      const context = { bases: ["/srv/ws"] }
      const atRoots = createPathLookup({}, true)
      const judge = compileUnder("/srv/ws", wanted, context)
      expect(judge("a", atRoots)).toEqual({ unjudged: expect.stringContaining("the agent tells the server") })
      expect(judge("./../ws/a", atRoots)).toMatchObject({ unjudged: expect.any(String) })
      expect(judge("/srv/ws/a", atRoots)).toBe("holds")
      expect(judge("/home/a", atRoots)).toBe("fails")
    },
  )

  it("does not judge by a folder or working directory that is not absolute", () => {
    expect(under("ws", "/srv/ws/a")).toBe("unjudged")
    expect(under("/srv/ws", "a", { bases: ["ws"] })).toBe("unjudged")
    expect(under("/srv/ws", "a", { bases: ["C:\\srv\\ws"] })).toBe("unjudged")
  })

  it("takes letters of either case for the same only when told so, and doubts letters beyond ASCII", () => {
    const context = { caseInsensitivePaths: true }
    expect(under("/Srv/ws", "/srv/WS/a", context)).toBe("holds")
    expect(under("/srv/é", "/srv/é/a", context)).toBe("holds")
    expect(under("/srv/é", "/srv/É/a", context)).toBe("unjudged")
    expect(under("/srv/ws", "/srv/wſ/a", context, true)).toBe("unjudged")
    expect(under("/srv/é", "/srv/ü/a", context)).toBe("fails")
  })

  it.each([
    ["/srv/B\u00fcro", "/srv/Bu\u0308ro/a", "unjudged"],
    ["/srv/Bu\u0308ro", "/srv/B\u00fcro/a", "unjudged"],
    ["/srv/Keys", "/srv/\u212aeys/a", "unjudged"],
    ["/srv/\u212aeys", "/srv/Keys/a", "unjudged"],
    ["/srv/Bu\u0308ro", "/srv/Bu\u0308ro/a", "holds"],
    ["/srv/ws", "/srv/ws/Bu\u0308ro", "holds"],
    ["/srv/B\u00fcro", "/srv/Buro/a", "fails"],
    ["/srv/\u2171", "/srv/ii/a", "fails"],
  ])("I3: leaves to a person what Unicode calls the same as the folder: in %s, %s: %s", (folder, text, wanted) => {
    expect(under(folder, text)).toBe(wanted)
    expect(under(folder, text, {}, true)).toBe(wanted)
  })

  it("agrees with the system's own reading of any path of dots and names", () => {
    const piece = fc.constantFrom("a", "b", "ws", "ws2", ".", "..", "", "/", ".x", "...")
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.boolean(), (pieces, absolute) => {
        const text = (absolute ? "/" : "") + pieces.join("/")
        if (text === "") return
        const real = posix.resolve("/a/ws", text)
        const inside = real === "/a/ws" || real.startsWith("/a/ws/")
        expect(under("/a/ws", text, { bases: ["/a/ws"] })).toBe(inside ? "holds" : "fails")
      }),
      { numRuns: 1_000 },
    )
  })
})

describe("compileUnder on Windows paths", () => {
  it.each([
    ["C:\\srv\\ws", "c:\\SRV\\ws\\a", "holds"],
    ["C:\\srv\\ws", "C:/srv/ws/a", "holds"],
    ["C:/srv/ws", "C:\\srv\\x\\..\\ws\\a", "holds"],
    ["C:\\", "C:\\anything", "holds"],
    ["\\\\host\\share\\ws", "\\\\HOST\\share\\ws\\a", "holds"],
    ["\\\\host\\share\\ws", "//host/share/ws/a", "holds"],
    ["C:\\srv\\ws", "C:\\srv\\ws-evil", "fails"],
    ["C:\\srv\\ws", "D:\\srv\\ws\\a", "fails"],
    ["C:\\srv\\ws", "C:\\srv\\ws\\..\\..\\x", "fails"],
    ["\\\\host\\share\\ws", "\\\\host\\other\\ws\\a", "fails"],
    ["C:\\srv\\ws", "\\srv\\ws\\a", "unjudged"],
    ["C:\\srv\\ws", "C:a", "unjudged"],
    ["C:\\srv\\ws", "\\\\?\\C:\\srv\\ws\\a", "unjudged"],
    ["C:\\srv\\ws", "\\\\.\\C:\\srv\\ws", "unjudged"],
    ["C:\\srv\\ws", "C:\\srv\\ws\\a.txt:stream", "unjudged"],
    ["C:\\srv\\ws", "C:\\srv\\ws \\a", "unjudged"],
    ["C:\\srv\\ws", "C:\\srv\\ws.\\a", "unjudged"],
    ["C:\\srv\\ws", "C:\\PROGRA~1\\a", "unjudged"],
    ["C:\\srv\\ws", "C:\\srv\\ws\\...\\a", "unjudged"],
  ])("in %s, %s: %s", (folder, text, wanted) => {
    expect(under(folder, text)).toBe(wanted)
  })

  it("agrees with the system's own reading of any path of dots and names", () => {
    const piece = fc.constantFrom("a", "b", "ws", "ws2", ".", "..", "", ".x")
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), fc.constantFrom("\\", "/"), (pieces, separator) => {
        const text = `C:${separator}${pieces.join(separator)}`
        const inside = /^c:\\a\\ws(?:\\|$)/i.test(win32.resolve(text))
        expect(under("C:\\a\\ws", text)).toBe(inside ? "holds" : "fails")
      }),
    )
  })
})

describe("compileUnder where paths can be seen", () => {
  const realPaths = links({
    "/ws/out": "/etc",
    "/home/in": "/ws/sub",
    "/link": "/ws",
    "/ws/deep": "/var/lib/deep",
    "/etc/back": "/ws/a",
    "/ws/sub/away": "/srv/x",
  })

  it.each([
    { text: "/ws/a", allow: "holds", deny: "holds" },
    { text: "/ws/out/passwd", allow: "fails", deny: "holds" },
    { text: "/home/in/a", allow: "fails", deny: "holds" },
    { text: "/home/a", allow: "fails", deny: "fails" },
    { text: "/ws/deep/../a", allow: "fails", deny: "holds" },
    { text: "deep/../a", allow: "fails", deny: "holds" },
    { name: "a link elsewhere that leads back", text: "/ws/out/back", allow: "fails", deny: "holds" },
    { name: "a link in the folder, itself, by another way", text: "/home/in/away", allow: "fails", deny: "holds" },
  ])("I1, I2: $text: an allow $allow, a deny $deny", ({ text, allow, deny }) => {
    expect(under("/ws", text, { bases: ["/ws"], realPaths })).toBe(allow)
    expect(under("/ws", text, { bases: ["/ws"], realPaths }, true)).toBe(deny)
  })

  it("I1, I2: a relative path also starts from where its folder really is, as for programs that ask for their folder", () => {
    // By its text and by the system's way it is in /ws: /ws/d/x and /ws/p/x. For a program in /out/d/real it is /out/d/x.
    const table = { "/ws/d/start": "/out/d/real", "/out/d/real/a": "/ws/p/q/r" }
    const context = { bases: ["/ws/d/start"], realPaths: links(table) }
    expect(under("/ws", "a/../../x", context)).toBe("fails")
    expect(under("/out", "a/../../x", context, true)).toBe("holds")
    expect(under("/ws", "a/../../x", { ...context, bases: ["/ws/d/plain"] })).toBe("holds")
    expect(under("/link", "b/../a", { bases: ["/link"], realPaths })).toBe("holds")
  })

  it.each(["/link/a", "/link"])("looks at the folder's real path too: %s", (text) => {
    expect(under("/link", text, { realPaths })).toBe("holds")
  })

  it.each(["/dark/a", "/ws/../dark/a", "/ws/a\0b"])(
    "I4: %j, which cannot be followed, satisfies no allow and every deny",
    (text) => {
      for (const folder of ["/ws", "/dark"]) {
        expect(under(folder, text, { realPaths })).not.toBe("holds")
        expect(under(folder, text, { realPaths }, true)).toBe("holds")
      }
    },
  )

  it("goes by the text of a folder that cannot be followed", () => {
    expect(under("/dark", "/ws/a", { realPaths }, true)).toBe("fails")
  })

  it("I5: follows a path once in a judgement, and again in the next", () => {
    const seen: string[] = []
    const context: PathContext = {
      realPaths: () => (path) => {
        seen.push(path)
        return [path]
      },
    }
    const judges = ["/ws", "/ws/a"].map((folder) => compileUnder(folder, "surely-inside", context))
    const lookup = createPathLookup(context)
    for (const judge of judges) for (const text of ["/ws/a", "/ws/a", "/ws/a/b"]) judge(text, lookup)
    expect(seen).toEqual(["/ws", "/ws/a", "/ws/a/b"])
    judges[0]?.("/ws/a")
    expect(seen.slice(3)).toEqual(["/ws", "/ws/a"])
  })

  it("I5: follows 1,024 paths in a judgement; further ones satisfy no allow and every deny", () => {
    let followed = 0
    const context: PathContext = {
      realPaths: () => (path) => {
        followed += 1
        return [path]
      },
    }
    const lookup = createPathLookup(context)
    const allow = compileUnder("/ws", "surely-inside", context)
    const deny = compileUnder("/secret", "maybe-inside", context)
    for (let at = 0; at < 1_022; at += 1) expect(allow(`/ws/${at}`, lookup)).toBe("holds")
    expect(deny("/ws/0", lookup)).toBe("fails")
    expect(followed).toBe(1_024)
    expect(allow("/ws/new", lookup)).toEqual({ unjudged: "cannot be followed to where it leads" })
    expect(deny("/ws/new", lookup)).toBe("holds")
    expect(allow("/ws/1", lookup)).toBe("holds")
    expect(followed).toBe(1_024)
  })
})
