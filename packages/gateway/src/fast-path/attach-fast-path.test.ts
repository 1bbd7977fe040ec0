import { once } from "node:events"
import { createServer, type Server } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Arrived, FrontResponse } from "../downstream/front-message.ts"
import { attachFastPath, type FastPath } from "./attach-fast-path.ts"
import { readPost } from "./read-post.ts"

const usual = "POST /mcp/files HTTP/1.1\r\nHost: 127.0.0.1:80\r\nContent-Type: application/json\r\n"
const post = (body: string, more = ""): string =>
  `${usual}${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

describe("what is read from the connection itself", () => {
  it("is a POST with its headers in lower case and its body as it came", () => {
    const read = readPost(Buffer.from(`${post("{é}", "X-Odd: \t a b \t\r\n")}POST`))
    expect(read).toMatchObject({
      kind: "post",
      request: { url: "/mcp/files" },
      length: Buffer.byteLength(post("{é}", "X-Odd: \t a b \t\r\n")),
    })
    if (read.kind !== "post") return
    expect({ ...read.request.headers }).toEqual({
      host: "127.0.0.1:80",
      "content-type": "application/json",
      "x-odd": "a b",
      "content-length": "4",
    })
    expect(read.request.bytes.toString()).toBe("{é}")
  })

  it("is waited for while it could still become one", () => {
    const whole = Buffer.from(post("{}"))
    for (let length = 0; length < whole.length; length++)
      expect(readPost(whole.subarray(0, length)).kind).toBe("partial")
  })

  it.each([
    { name: "another method", text: "GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n" },
    { name: "another path", text: "POST /api/approvals HTTP/1.1\r\nHost: 127.0.0.1:80\r\nContent-Length: 0\r\n\r\n" },
    {
      name: "an absolute address",
      text: "POST http://x/mcp HTTP/1.1\r\nHost: 127.0.0.1:80\r\nContent-Length: 0\r\n\r\n",
    },
    { name: "HTTP/1.0", text: "POST /mcp HTTP/1.0\r\nHost: 127.0.0.1:80\r\nContent-Length: 0\r\n\r\n" },
    { name: "a space in the path", text: "POST /mcp x HTTP/1.1\r\nHost: 127.0.0.1:80\r\nContent-Length: 0\r\n\r\n" },
    { name: "no host", text: "POST /mcp HTTP/1.1\r\nContent-Length: 0\r\n\r\n" },
    { name: "another host", text: post("{}").replace("127.0.0.1:80", "tunnel.example") },
    { name: "a host that only begins as ours", text: post("{}").replace("127.0.0.1:80", "127.0.0.1.example") },
    { name: "a proxy that passed it on", text: post("{}", "X-Forwarded-For: 192.0.2.1\r\n") },
    {
      name: "more headers than anyone sends",
      text: post("{}", Array.from({ length: 98 }, (_, n) => `X${n}: a\r\n`).join("")),
    },
    { name: "no length", text: `${usual}\r\n` },
    { name: "two hosts", text: post("", "Host: there\r\n") },
    { name: "two lengths", text: post("{}", "Content-Length: 2\r\n") },
    { name: "a header twice, in other letters", text: post("", "HOST: 127.0.0.1:80\r\n") },
    { name: "parts", text: post("0\r\n\r\n", "Transfer-Encoding: chunked\r\n") },
    { name: "an expectation", text: post("{}", "Expect: 100-continue\r\n") },
    { name: "an upgrade", text: post("{}", "Connection: upgrade\r\nUpgrade: websocket\r\n") },
    { name: "a connection to be closed", text: post("{}", "Connection: close\r\n") },
    { name: "a connection to be closed, in old words", text: post("{}", "Proxy-Connection: close\r\n") },
    { name: "a folded header", text: post("{}", "X: a\r\n b\r\n") },
    { name: "a space before the colon", text: post("{}", "X : a\r\n") },
    { name: "a bare line feed", text: post("{}", "X: a\nY: b\r\n") },
    { name: "a bare carriage return", text: post("{}", "X: a\rY: b\r\n") },
    { name: "a NUL", text: post("{}", "X: a\0b\r\n") },
    { name: "a length that is none", text: `${usual}Content-Length: 0x2\r\n\r\n{}` },
    { name: "a signed length", text: `${usual}Content-Length: +2\r\n\r\n{}` },
    { name: "a body beyond measure", text: `${usual}Content-Length: 9999999\r\n\r\n{}` },
    { name: "an endless head", text: `${usual}X: ${"a".repeat(20_000)}` },
  ])("is never one with $name", ({ text }) => {
    expect(readPost(Buffer.from(text, "latin1")).kind).toBe("unusual")
  })

  it("is the same whatever head came before it", () => {
    const heads = ["", "X: a\r\n", "X: b\r\n", "X: a\r\nY: b\r\n", "Expect: 100-continue\r\n"]
    const bodies = ["{}", "[]", "[1]", "\r\n\r\n"]
    const texts = heads.flatMap((head) => bodies.map((body) => Buffer.from(post(body, head))))
    for (const before of texts) {
      const known = readPost(before)
      for (const text of texts)
        for (const bytes of [text, text.subarray(0, -1), Buffer.concat([text, before])])
          expect(readPost(bytes, known.kind === "post" ? known.head : null)).toEqual(readPost(bytes))
    }
  })
})

describe("a connection", () => {
  let server: Server
  let fast: FastPath
  let answer: (request: Arrived, response: FrontResponse) => boolean
  let client: Socket
  let heard = ""

  beforeEach(async () => {
    heard = ""
    answer = (request, response) => {
      const text = `fast ${request.bytes.toString()}`
      response.writeHead(200, { "content-length": Buffer.byteLength(text) })
      response.end(text)
      return true
    }
    server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on("data", (chunk) => chunks.push(chunk)).on("end", () => response.end(`node ${Buffer.concat(chunks)}`))
    })
    fast = attachFastPath(server, (request, response) => answer(request, response))
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    client = connect((server.address() as AddressInfo).port, "127.0.0.1")
    client.on("data", (chunk) => {
      heard += chunk.toString()
    })
    client.on("error", () => {})
    await once(client, "connect")
  })

  afterEach(async () => {
    client.destroy()
    server.closeAllConnections()
    fast.closeAll()
    await new Promise((resolve) => server.close(resolve))
  })

  async function hears(...words: readonly string[]): Promise<void> {
    const isThere = (): boolean => words.every((word) => heard.includes(word))
    while (!isThere() && !client.destroyed) await Promise.race([once(client, "data"), once(client, "close")])
    for (const word of words) expect(heard).toContain(word)
  }

  const answers = (way: string): readonly string[] =>
    [...heard.matchAll(new RegExp(`${way} ([a-z]+)`, "g"))].map(([, body = ""]) => body)

  it("answers what comes at once one after the other, in the order it came", async () => {
    client.write(`${post("one")}${post("two")}${post("three")}`)
    await hears("fast three")
    expect(answers("fast")).toEqual(["one", "two", "three"])
  })

  it("fast-connection I5: begins what comes while a request runs, and answers in the order it came", async () => {
    const answerNow = answer
    const begun: string[] = []
    let finish = (): void => {}
    answer = (request, response) => {
      const body = request.bytes.toString()
      begun.push(body)
      if (body !== "slow") return answerNow(request, response)
      finish = () => answerNow(request, response)
      return true
    }
    client.write(post("slow"))
    await expect.poll(() => begun).toEqual(["slow"])
    client.write(post("cancel"))
    client.write(post("more").slice(0, -2))
    await expect.poll(() => begun).toEqual(["slow", "cancel"])
    client.write(post("more").slice(-2))
    client.write(post("3\r\ntwo\r\n0\r\n\r\n", "Transfer-Encoding: chunked\r\n").replace(/Content-Length: \d+\r\n/, ""))
    await expect.poll(() => begun).toEqual(["slow", "cancel", "more"])
    expect(heard).toBe("")
    finish()
    await hears("fast more", "node two")
    expect(answers("fast")).toEqual(["slow", "cancel", "more"])
  })

  it("answers the same however the bytes are cut", async () => {
    const bytes = Buffer.from(`${post("one")}${post("two")}`)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 6 }), async (places) => {
        heard = ""
        const cuts = [0, ...places.sort((a, b) => a - b), bytes.length]
        for (let at = 1; at < cuts.length; at++) {
          client.write(bytes.subarray(cuts[at - 1], cuts[at]))
          await new Promise((resolve) => setImmediate(resolve))
        }
        await hears("fast one", "fast two")
        expect(answers("fast")).toEqual(["one", "two"])
      }),
      { numRuns: 40 },
    )
  })

  it("is node's from the first unusual request on, which loses nothing", async () => {
    client.write(
      `${post("one")}${post("3\r\ntwo\r\n0\r\n\r\n", "Transfer-Encoding: chunked\r\n").replace(/Content-Length: \d+\r\n/, "")}`,
    )
    await hears("fast one", "node two")
    client.write(post("three"))
    await hears("node three")
  })

  it("is node's when the answerer does not want it", async () => {
    answer = () => false
    client.write(post("one"))
    await hears("node one")
  })

  it("is node's when a body is larger than is worth keeping", async () => {
    client.write(post("x".repeat(300_000)))
    await hears("node xxx")
  })

  it("that ends while its request is answered says so, once, and as not delivered", async () => {
    const over = Promise.withResolvers<boolean>()
    let times = 0
    answer = (_request, response) => {
      response.on("close", () => {
        times++
        over.resolve(response.writableFinished)
      })
      client.destroy()
      return true
    }
    client.write(post("one"))
    expect(await over.promise).toBe(false)
    await new Promise((resolve) => setImmediate(resolve))
    expect(times).toBe(1)
  })

  it("says that a response is delivered once all of it was handed over", async () => {
    const over = Promise.withResolvers<boolean>()
    answer = (_request, response) => {
      response.on("close", () => over.resolve(response.writableFinished))
      response.writeHead(200, { "content-type": "text/event-stream" })
      response.write("é1\n\n")
      response.write("2\n\n")
      response.end()
      return true
    }
    client.write(post("one"))
    expect(await over.promise).toBe(true)
    await hears("\r\n0\r\n\r\n")
    expect(heard).toContain("transfer-encoding: chunked")
    expect(heard.slice(heard.indexOf("\r\n\r\n") + 4)).toBe("5\r\né1\n\n\r\n3\r\n2\n\n\r\n0\r\n\r\n")
  })

  it("is closed when it is idle and the service ends, and not before its answer", async () => {
    const waits = Promise.withResolvers<FrontResponse>()
    answer = (_request, response) => {
      waits.resolve(response)
      return true
    }
    client.write(post("one"))
    const response = await waits.promise
    fast.closeIdle()
    response.writeHead(200, { "content-length": 2 })
    response.end("ok")
    await hears("ok")
    const closed = once(client, "close")
    fast.closeIdle()
    await closed
  })

  it("never lets a header's value become another header", () => {
    answer = (_request, response) => {
      expect(() => response.writeHead(200, { x: "a\r\nb: c" })).toThrow("cannot hold this")
      response.destroy()
      return true
    }
    client.write(post("one"))
    return once(client, "close")
  })
})
