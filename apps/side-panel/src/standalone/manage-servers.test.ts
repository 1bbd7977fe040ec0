import { describe, expect, it } from "vitest"
import { readAddress, readHeaders } from "./manage-servers.ts"

describe("a server's address", () => {
  it("is kept as browsers write it", () => {
    expect(readAddress("http://127.0.0.1:3001/mcp")).toBe("http://127.0.0.1:3001/mcp")
  })

  it.each(["", "tracker", "ftp://tracker.example", "javascript:alert(1)", "https://user:secret@tracker.example/mcp"])(
    "is not %j",
    (text) => {
      expect(() => readAddress(text)).toThrow(/address/i)
    },
  )
})

describe("headers", () => {
  it("are read line by line, with colons in their values", () => {
    expect(readHeaders("Authorization: Bearer a:b\n\n X-Team : 7 ")).toEqual({
      Authorization: "Bearer a:b",
      "X-Team": "7",
    })
    expect(readHeaders("  ")).toEqual({})
  })

  it.each(["Authorization", "Two words: x", ": x", "Name:"])("are not %j", (text) => {
    expect(() => readHeaders(text)).toThrow("Name: value")
  })
})
