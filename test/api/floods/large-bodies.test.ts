/** Bodies that are large or never end: of strangers hardly anything is read, and one sender's do not stop another's. */
import { gatePaths, newDeviceKey } from "@byleave/api"
import { createBodyBudget } from "@byleave/core"
import { afterEach, describe, expect, it } from "vitest"
import { opening } from "../../opening.ts"
import { openService } from "../open-service.ts"

const { open, closeAll } = opening(openService)
afterEach(closeAll)

async function codeIn(response: Response): Promise<unknown> {
  return ((await response.json()) as { readonly code?: unknown }).code
}

const chunk = new Uint8Array(8 * 1024).fill(32)

/** A body that comes piece by piece, and how much of it was asked for. */
function bodyOf(pieces: number) {
  const pulled = { bytes: 0 }
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (pulled.bytes >= pieces * chunk.byteLength) return controller.close()
        pulled.bytes += chunk.byteLength
        controller.enqueue(chunk)
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, pulled }
}

const post = (body: ReadableStream<Uint8Array>, headers: Record<string, string>): RequestInit =>
  ({ method: "POST", body, headers: { "content-type": "application/json", ...headers }, duplex: "half" }) as RequestInit

describe("of a body", () => {
  it("to a route that anybody may use, little is read", async () => {
    const service = await open()
    const { stream, pulled } = bodyOf(64)
    const response = await service.send("/api/sign-in", post(stream, {}))
    expect([response.status, await codeIn(response)]).toEqual([413, "too-large"])
    expect(pulled.bytes).toBeLessThanOrEqual(32 * 1024)
  })

  it("whose sender nobody knows, nothing is read", async () => {
    const service = await open()
    const path = "/api/approvals/x/verdict"
    const stranger = await newDeviceKey({ extractable: false })
    const proofs = [{}, { dpop: "nonsense" }, { dpop: await service.proofOf(stranger, "POST", path, "{}") }]
    for (const headers of proofs) {
      const { stream, pulled } = bodyOf(64)
      expect((await service.send(path, post(stream, headers))).status).toBe(401)
      expect(pulled.bytes).toBe(0)
    }
  })

  it("of a reviewer, all is read up to the limit; it must be the one that was signed", async () => {
    const service = await open()
    const ana = await service.person("ana")
    const path = "/api/approvals/x/verdict"
    const whole = " ".repeat(64 * chunk.byteLength)
    const dpop = await service.proofOf(ana.key, "POST", path, whole)
    const response = await service.send(path, post(bodyOf(64).stream, { dpop }))
    expect([response.status, await codeIn(response)]).toEqual([400, "bad-json"])
    const other = await service.proofOf(ana.key, "POST", path, `${whole} `)
    const refused = await service.send(path, post(bodyOf(64).stream, { dpop: other }))
    expect([refused.status, await codeIn(refused)]).toEqual([401, "bad-proof"])
  })
})

it("unfinished bodies of one program do not stop another's, nor its own small ones, and count for nothing once they broke off", async () => {
  const bodies = createBodyBudget(() => ({ perPrincipal: 300_000, inAll: 1_000_000 }))
  const service = await open({ bodies })
  const headersOf = async (id: string) => {
    const made = await service.credentials.addToken({ id, kind: "gate", namesSessions: true }, null)
    if (!("secret" in made)) throw new Error(made.detail)
    return { authorization: `Bearer ${made.secret}`, host: "127.0.0.1:7337" }
  }
  const [one, other] = [await headersOf("one"), await headersOf("other")]
  const send = (headers: Record<string, string>, body: string | ReadableStream<Uint8Array>) =>
    service.send(gatePaths.tools, { method: "POST", headers, body, duplex: "half" } as RequestInit)
  const tools = (bytes: number, server = "mine"): string =>
    JSON.stringify({ server, tools: [{ name: "t", description: "x".repeat(bytes), inputSchema: {} }] })
  const slow = [1, 2, 3].map(() => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    return { writer: writable.getWriter(), answer: send(one, readable).catch((cause: unknown) => cause) }
  })
  for (const { writer } of slow) writer.write(new Uint8Array(140_000)).catch(() => {})
  await expect.poll(bodies.used).toBeGreaterThan(200_000)
  const refused = await send(one, tools(200_000))
  expect(refused.status).toBe(413)
  expect(await refused.text()).toContain("which is as much as they may. Nothing was done.")
  expect((await send(one, tools(100))).status).toBe(200)
  expect((await send(other, tools(200_000, "theirs"))).status).toBe(200)
  for (const { writer } of slow) await writer.abort(new Error("gone")).catch(() => {})
  for (const { answer } of slow) await answer
  await expect.poll(bodies.used).toBe(0)
})
