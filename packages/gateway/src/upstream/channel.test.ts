/** The contract of all channels: what has not left is not sent once nobody waits for it, and is said not to have been sent. */
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { localCertificate } from "../../../../test/local-certificate.ts"
import { type HeldServer, heldAddress, heldProcess } from "./fixtures/held-server.ts"
import { type Asked, anyone, call, closeAll, said, tryUpstream } from "./fixtures/try-upstream.ts"

const trusted = getCACertificates("default")
beforeAll(() => setDefaultCACertificates([...trusted, localCertificate.cert]))
afterAll(() => setDefaultCACertificates(trusted))

const servers: HeldServer[] = []
afterEach(async () => {
  for (const server of servers) await server.release()
  await closeAll()
  for (const server of servers.splice(0)) await server.end()
})

const kinds: ReadonlyArray<readonly [string, () => Promise<HeldServer>]> = [
  ["stdio", heldProcess],
  ["http", () => heldAddress("http", localCertificate)],
  ["sse", () => heldAddress("sse", localCertificate)],
]

describe.each(kinds)("over %s", (_, start) => {
  async function open() {
    const server = await start()
    servers.push(server)
    const upstream = tryUpstream(server.transport)
    return { server, upstream, link: await upstream.link(anyone) }
  }

  /** A call that waits to leave, and what became of it. */
  async function held(asked: Asked) {
    const opened = await open()
    const { server, link } = opened
    await server.hold(link)
    const ended = call(link, "act", {}, asked).then(said, ({ code, message }) => `${code}: ${message}`)
    await server.waits()
    /** What the server has seen of it, once everything has left that will. */
    const seen = async (): Promise<boolean> => {
      await server.release()
      await call(await opened.upstream.link(anyone), "fill")
      return server.seen().includes("act")
    }
    return { ...opened, ended, seen }
  }

  it("a call is asked about when it leaves, and not before", async () => {
    let asked = 0
    const { ended, seen } = await held({ onSent: () => asked++ })
    expect(asked).toBe(0)
    expect(await seen()).toBe(true)
    expect([await ended, asked]).toEqual(["done", 1])
  })

  it("a call that may not leave by then is not sent, and outdated", async () => {
    let isAllowed = true
    const { ended, seen } = await held({ mayLeave: () => isAllowed })
    isAllowed = false
    expect(await seen()).toBe(false)
    expect(await ended).toMatch(/^outdated: /)
  })

  it("peer I4: a call that is withdrawn before it leaves is not sent, and said not to have been", async () => {
    const withdrawn = new AbortController()
    const { ended, seen } = await held({ signal: withdrawn.signal })
    withdrawn.abort()
    expect(await ended).toMatch(/^unsent: /)
    expect(await seen()).toBe(false)
  })

  it("peer I4: a call whose time is up before it leaves is not sent, and said not to have been", async () => {
    const { ended, seen } = await held({ timeoutMs: 50 })
    expect(await ended).toMatch(/^unreachable: .*Nothing of this request was sent/)
    expect(await seen()).toBe(false)
  })

  it("peer I4: a call whose connection is closed before it leaves is not sent, which says nothing against the server", async () => {
    const { ended, upstream, server } = await held({})
    const restarting = upstream.restart()
    await server.release()
    await restarting
    expect(await ended).toMatch(/^unreachable: .*Nothing of this request was sent/)
    expect(server.seen()).not.toContain("act")
    expect(upstream.health()).toMatchObject({ lastError: null })
  })

  it("a call that has left and is withdrawn is not said to be unsent", async () => {
    const { server, link } = await open()
    const withdrawn = new AbortController()
    const calling = call(link, "wait", {}, { signal: withdrawn.signal })
    await expect.poll(server.seen).toEqual(["wait"])
    withdrawn.abort()
    await expect(calling).rejects.toMatchObject({ code: "withdrawn" })
  })
})
