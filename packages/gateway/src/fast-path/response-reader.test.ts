import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createResponseReader } from "./response-reader.ts"

type Seen = {
  status?: number
  type?: string | undefined
  body: string
  ended?: boolean
  problem?: string
  heads: number
}

function readAll(pieces: readonly Buffer[]): Seen & { readonly close: () => boolean } {
  const seen: Seen = { body: "", heads: 0 }
  const reader = createResponseReader({
    onHead: ({ status, headers }) => {
      seen.heads++
      seen.status = status
      seen.type = headers.get("content-type")
    },
    onChunk: (chunk) => {
      seen.body += chunk.toString("latin1")
    },
    onEnd: (reusable) => {
      seen.ended = reusable
    },
  })
  for (const piece of pieces) {
    const problem = reader.feed(piece)
    if (problem === null) continue
    seen.problem = problem
    break
  }
  return { ...seen, close: () => reader.close() }
}

function cut(text: string, places: readonly number[]): readonly Buffer[] {
  const bytes = Buffer.from(text, "latin1")
  const at = [...new Set(places.map((place) => place % bytes.length))].sort((a, b) => a - b)
  return [0, ...at]
    .map((from, index) => bytes.subarray(from, at[index] ?? bytes.length))
    .filter((part) => part.length > 0)
}

const head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
const complete = [
  { name: "with a length", text: `${head}Content-Length: 5\r\n\r\nhello`, body: "hello", reusable: true },
  { name: "of length 0", text: `${head}content-length: 0\r\n\r\n`, body: "", reusable: true },
  {
    name: "in parts",
    text: `${head}Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\nA\r\nlo\r\n world\r\n0\r\n\r\n`,
    body: "hello\r\n world",
    reusable: true,
  },
  {
    name: "in parts with extensions and trailers",
    text: `${head}transfer-encoding: Chunked\r\n\r\n5;a=b\r\nhello\r\n0;x\r\nX-After: 1\r\nY: 2\r\n\r\n`,
    body: "hello",
    reusable: true,
  },
  {
    name: "after 100 and 103",
    text: `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\n${head}Content-Length: 5\r\n\r\nhello`,
    body: "hello",
    reusable: true,
  },
  {
    name: "that closes",
    text: `${head}Connection: close\r\nContent-Length: 5\r\n\r\nhello`,
    body: "hello",
    reusable: false,
  },
  {
    name: "of HTTP/1.0",
    text: "HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello",
    body: "hello",
    reusable: false,
  },
]

describe("an answer", () => {
  it.each(complete)("$name is read the same however it is cut", ({ text, body, reusable }) => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 200 }), (places) => {
        const seen = readAll(cut(text, places))
        expect(seen).toMatchObject({ heads: 1, status: 200, type: "text/plain", body, ended: reusable })
        expect(seen.problem).toBeUndefined()
      }),
      { numRuns: 60 },
    )
    expect(readAll([...text].map((letter) => Buffer.from(letter, "latin1"))).body).toBe(body)
  })

  it("204 has no body, whatever follows; what follows spoils the connection", () => {
    const seen = readAll([Buffer.from("HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\n\r\n")])
    expect(seen).toMatchObject({ heads: 1, status: 204, body: "", ended: false })
  })

  it("without a length goes on until the connection is closed in order", () => {
    const seen = readAll(cut(`${head}\r\nhello`, [50]))
    expect([seen.body, seen.ended]).toEqual(["hello", undefined])
    expect(seen.close()).toBe(true)
  })

  it.each([
    { name: "a head", text: head },
    { name: "a body", text: `${head}Content-Length: 9\r\n\r\nhello` },
    { name: "a part", text: `${head}Transfer-Encoding: chunked\r\n\r\n9\r\nhello` },
    { name: "what follows the last part", text: `${head}Transfer-Encoding: chunked\r\n\r\n0\r\nX: 1\r\n` },
  ])("that is closed within $name is not complete", ({ text }) => {
    const seen = readAll([Buffer.from(text)])
    expect([seen.ended, seen.problem, seen.close()]).toEqual([undefined, undefined, false])
  })

  it.each([
    { name: "no HTTP", text: "SSH-2.0-x\r\n\r\n" },
    { name: "HTTP/2", text: "HTTP/2 200 OK\r\n\r\n" },
    { name: "no status", text: "HTTP/1.1 OK\r\n\r\n" },
    { name: "a change of protocol", text: "HTTP/1.1 101 Switching Protocols\r\n\r\n" },
    { name: "a folded header", text: `${head}X: a\r\n b\r\nContent-Length: 0\r\n\r\n` },
    { name: "a space before the colon", text: `${head}Content-Length : 5\r\n\r\nhello` },
    { name: "a bare line feed in a header", text: `${head}X: a\nContent-Length: 5\r\n\r\nhello` },
    { name: "two lengths", text: `${head}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!` },
    { name: "the same length twice", text: `${head}Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello` },
    {
      name: "a length that is none, with a status that needs none",
      text: "HTTP/1.1 304 x\r\nContent-Length: +5\r\n\r\n",
    },
    { name: "a space behind a size", text: `${head}Transfer-Encoding: chunked\r\n\r\n5 ;a\r\nhello\r\n0\r\n\r\n` },
    { name: "a negative length", text: `${head}Content-Length: -1\r\n\r\n` },
    { name: "a list of lengths", text: `${head}Content-Length: 5, 5\r\n\r\nhello` },
    { name: "a length and parts", text: `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n` },
    { name: "another encoding", text: `${head}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n` },
    { name: "a size that is none", text: `${head}Transfer-Encoding: chunked\r\n\r\nxyz\r\n` },
    { name: "a size beyond all measure", text: `${head}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n` },
    { name: "a part longer than it says", text: `${head}Transfer-Encoding: chunked\r\n\r\n2\r\nhello\r\n0\r\n\r\n` },
    { name: "an endless head", text: `${head}X: ${"a".repeat(20_000)}` },
    { name: "an endless size", text: `${head}Transfer-Encoding: chunked\r\n\r\n1;${"a".repeat(20_000)}` },
    {
      name: "endless trailers",
      text: `${head}Transfer-Encoding: chunked\r\n\r\n0\r\n${"X: 1234567890\r\n".repeat(2_000)}`,
    },
  ])("with $name is a problem, whole or byte by byte", ({ text }) => {
    for (const pieces of [[Buffer.from(text)], cut(text, [...Array(400).keys()])]) {
      const seen = readAll(pieces)
      expect(seen.problem).toEqual(expect.any(String))
      expect(seen.ended).toBeUndefined()
    }
  })

  it("is read the same whatever answer came before it on its connection", () => {
    const kept = complete.filter(({ reusable }) => reusable)
    for (const before of kept)
      for (const { text, body } of kept) {
        const seen = readAll([...cut(before.text, [3]), ...cut(text, [20]), ...cut(before.text, [])])
        expect({ ...seen, close: null }).toMatchObject({
          body: before.body + body + before.body,
          heads: 3,
          ended: true,
        })
      }
  })

  it("is followed by the next on the same connection", () => {
    const one = Buffer.from(complete[3]?.text ?? "")
    expect(readAll([one, one, one])).toMatchObject({ heads: 3, body: "hellohellohello", ended: true })
  })
})
