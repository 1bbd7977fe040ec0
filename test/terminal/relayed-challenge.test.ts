/** A program at another address that passes everything on to the real service is not taken for it. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makePlace, type Place } from "../../apps/cli/src/service/fixtures/service-process.ts"
import { findGate } from "../../apps/cli/src/wrap/find-gate.ts"
import { openProxyBefore, type ProxyBefore } from "./proxy-before.ts"

describe("a program that relays the challenge of the real service", () => {
  let place: Place
  let url: string
  let proxy: ProxyBefore
  const file = () => join(place.data, "service.json")

  beforeAll(async () => {
    place = makePlace("version: 1\nservers: {}\nreviewers: { presence: none }\n")
    await place.command("init", "--presence", "none", "--data", place.data)
    ;({ url } = await place.serve())
    proxy = await openProxyBefore(() => url)
  }, 30_000)

  afterAll(async () => {
    await proxy?.close()
    await place?.dispose()
  })

  /** As somebody would who can write files, but not make the service answer for an address that is not its own. */
  function pointTo(address: string): () => void {
    const before = readFileSync(file(), "utf8")
    writeFileSync(file(), JSON.stringify({ ...JSON.parse(before), url: address }))
    return () => writeFileSync(file(), before)
  }

  it("is told apart by commands, by --url and where the data folder names it", async () => {
    const restore = pointTo(proxy.url)
    const ended = await Promise.all([
      place.command("approve", "abc123", "--data", place.data, "--url", proxy.url),
      place.command("pending", "--data", place.data),
      place.command("open", "--print", "--data", place.data),
    ])
    restore()
    for (const each of ended) {
      expect(each, each.stdout).toMatchObject({ code: 3, stderr: expect.stringContaining("is not the Byleave of") })
      expect(each.stdout).toBe("")
    }
  })

  it("gets no credential of a wrapped server's", async () => {
    expect(await findGate(place.data, url)).toMatchObject({ url })
    expect(await findGate(place.data, proxy.url)).toBeNull()
  })

  it("is told apart at the same port of another address of this machine", async () => {
    const { port } = new URL(url)
    const beside = await openProxyBefore(() => url, { host: "::1", port: Number(port) }).catch(() => null)
    if (beside === null) return
    const named = await place.command("pending", "--data", place.data, "--url", beside.url)
    await beside.close()
    expect(named).toMatchObject({ code: 3, stderr: expect.stringContaining("is not the Byleave of") })
  })

  it("cannot have the challenge answered for the service's address in place of its own: the answer is to the address that was dialled", async () => {
    const restore = pointTo(proxy.url)
    const answers: unknown[] = []
    proxy.meddle({
      path: (path) => path.replace(`address=${encodeURIComponent(proxy.url)}`, `address=${encodeURIComponent(url)}`),
      answer: ({ path, answer }) => void (path.startsWith("/api/hello?") && answers.push(answer)),
    })
    const ended = [
      await place.command("pending", "--data", place.data, "--url", proxy.url),
      await place.command("open", "--print", "--data", place.data),
    ]
    const gate = await findGate(place.data, proxy.url)
    proxy.meddle({})
    restore()
    for (const each of ended) {
      expect(each, each.stdout).toMatchObject({ code: 3, stderr: expect.stringContaining("is not the Byleave of") })
    }
    expect(gate).toBeNull()
    // The service did answer each of them: for its own address.
    const proved = expect.objectContaining({ proof: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(answers).toEqual([proved, proved, proved])
  })

  it("gets no answer to a challenge for the address it has, nor for none", async () => {
    const proofFor = async (address: string) =>
      (await fetch(`${url}/api/hello?challenge=0123456789abcdef0123${address}`)).json()
    expect(await proofFor(`&address=${encodeURIComponent(proxy.url)}`)).toMatchObject({ name: "byleave", proof: null })
    expect(await proofFor("")).toMatchObject({ proof: null })
    expect(await proofFor(`&address=${encodeURIComponent(url)}`)).toMatchObject({
      proof: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })
})

describe("a sign-in link", () => {
  it("leads to the address that has proved to be the service, whatever an answer says", async () => {
    const place = makePlace("version: 1\nservers: {}\nreviewers: { presence: none }\n")
    let target = ""
    const proxy = await openProxyBefore(() => target)
    try {
      place.write(`version: 1\nservers: {}\nhosts: ["127.0.0.1:${proxy.port}"]\nreviewers: { presence: none }\n`)
      await place.command("init", "--presence", "none", "--data", place.data)
      target = (await place.serve()).url
      proxy.meddle({
        answer: ({ path, answer }) =>
          path === "/api/sign-in/links" ? { ...Object(answer), url: "http://evil.example/sign-in#x" } : undefined,
      })
      const at = ["--data", place.data, "--url", proxy.url]
      const [opened, told, added] = await Promise.all([
        place.command("open", "--print", ...at),
        place.command("open", "--json", ...at),
        place.command("reviewers", "add", "ben", ...at),
      ])
      expect(opened).toMatchObject({ code: 0, stdout: expect.stringContaining(`${proxy.url}/sign-in#`) })
      expect(JSON.parse(told.stdout).url).toContain(`${proxy.url}/sign-in#`)
      expect(added, added.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining(`${proxy.url}/sign-in#`) })
      expect(`${opened.stdout}${told.stdout}${added.stdout}`).not.toContain("evil.example")
    } finally {
      await proxy.close()
      await place.dispose()
    }
  }, 30_000)
})
