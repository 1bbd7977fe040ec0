import { describe, expect, it } from "vitest"
import { isPlain, writePost } from "./write-post.ts"

const place = { host: "127.0.0.1:80", path: "/mcp?a=b", body: '{"ü":1}' }

describe("a request", () => {
  it("counts its body in bytes and names its host once", () => {
    expect(String(writePost({ ...place, headers: { "x-a": "1" } }))).toBe(
      'POST /mcp?a=b HTTP/1.1\r\nhost: 127.0.0.1:80\r\nx-a: 1\r\ncontent-length: 8\r\nconnection: keep-alive\r\n\r\n{"ü":1}',
    )
    expect(String(writePost({ ...place, headers: { Host: "other" } })).match(/host:/gi)).toHaveLength(1)
  })

  it("writes header values as Latin-1 and the body as UTF-8, as node:http does", () => {
    const bytes = Buffer.from(writePost({ ...place, headers: { "x-a": "\u00fc" } }))
    expect(bytes.toString("latin1")).toContain("x-a: \u00fc\r\n")
    expect(bytes.toString("utf8")).toContain('{"ü":1}')
  })

  it.each([
    { name: "a line end in a value", headers: { "x-a": "1\r\nx-b: 2" } },
    { name: "a line feed in a value", headers: { "x-a": "1\n" } },
    { name: "a NUL in a value", headers: { "x-a": "\0" } },
    { name: "a letter beyond Latin-1", headers: { "x-a": "\u{1f600}" } },
    { name: "a line end in a name", headers: { "x-a: 1\r\nx-b": "2" } },
    { name: "no name", headers: { "": "2" } },
  ])("with $name is never written", ({ headers }) => {
    expect(() => writePost({ ...place, headers })).toThrow(TypeError)
    // Nor at the second try, when its lines might be remembered.
    expect(() => writePost({ ...place, headers })).toThrow(TypeError)
  })

  it("with a line end in its path is never written", () => {
    expect(() => writePost({ ...place, path: "/a HTTP/1.1\r\nx: 1", headers: {} })).toThrow(TypeError)
  })

  it("is written and checked anew for another address, though its headers are known", () => {
    const headers = { "x-a": "1" }
    writePost({ ...place, headers })
    expect(String(writePost({ ...place, path: "/other", headers }))).toContain(
      "POST /other HTTP/1.1\r\nhost: 127.0.0.1:80",
    )
    expect(String(writePost({ ...place, host: "[::1]", headers }))).toContain(
      "POST /mcp?a=b HTTP/1.1\r\nhost: [::1]\r\n",
    )
    expect(() => writePost({ ...place, path: "/a\r\nx: 1", headers })).toThrow(TypeError)
    expect(() => writePost({ ...place, host: "a\r\nx: 1", headers })).toThrow(TypeError)
    expect(() => writePost({ ...place, host: "a\r\nx: 1", headers })).toThrow(TypeError)
  })

  it.each(["Content-Length", "Transfer-Encoding", "Connection", "Expect", "Upgrade"])(
    "is not plain with %s",
    (name) => {
      expect(isPlain({ [name]: "1" })).toBe(false)
      expect(() => writePost({ ...place, headers: { [name]: "1" } })).toThrow(TypeError)
    },
  )
})
