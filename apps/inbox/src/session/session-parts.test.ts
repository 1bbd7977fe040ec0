import { newDeviceKey } from "@byleave/api"
import { describe, expect, it } from "vitest"
import { browserName } from "./browser-name.ts"
import { signedFetch } from "./signed-fetch.ts"
import { takeSecret } from "./take-secret.ts"

describe("the secret of a link", () => {
  it("I1: is taken out of the address before anything else", () => {
    // A browser's location changes with the address.
    const place = { pathname: "/sign-in", hash: "#s3cret" }
    const urls: string[] = []
    const history = {
      replaceState: (_state: unknown, _title: string, url: string) => {
        urls.push(url)
        place.hash = ""
      },
    }
    expect(takeSecret(place, history)).toBe("s3cret")
    expect(urls).toEqual(["/sign-in"])
    expect(takeSecret(place, history)).toBeNull()
  })

  it("is looked for nowhere else", () => {
    const history = { replaceState: () => expect.unreachable() }
    expect(takeSecret({ pathname: "/settings", hash: "#devices" }, history)).toBeNull()
  })
})

describe("a signed request", () => {
  const iatOf = (proof: string | null): number => JSON.parse(atob((proof ?? "").split(".")[1] ?? "")).iat
  const problem = (code: string, date: string): Response =>
    new Response(JSON.stringify({ code }), { status: 401, headers: { date } })

  it("is made once more by the service's clock when its own runs wrong, and stays right", async () => {
    const there = Date.parse("2026-05-01T12:00:00Z")
    const sent: number[] = []
    const fetch = signedFetch({
      key: await newDeviceKey({ extractable: false }),
      now: () => there - 3_600_000,
      onSignedOut: () => expect.unreachable(),
      fetch: async (_url, init) => {
        const iat = iatOf(new Headers(init?.headers).get("dpop"))
        sent.push(iat * 1_000 - there)
        return Math.abs(iat * 1_000 - there) > 60_000
          ? problem("bad-proof", new Date(there).toUTCString())
          : new Response("{}")
      },
    })
    expect((await fetch("http://here/api/me")).status).toBe(200)
    expect((await fetch("http://here/api/me")).status).toBe(200)
    expect(sent).toEqual([-3_600_000, 0, 0])
  })

  it("is not repeated when the clocks agree, and says when the key is not registered", async () => {
    const now = Date.parse("2026-05-01T12:00:00Z")
    let sent = 0
    let isOut = false
    const codes = ["bad-proof", "not-signed-in"]
    const fetch = signedFetch({
      key: await newDeviceKey({ extractable: false }),
      now: () => now,
      onSignedOut: () => {
        isOut = true
      },
      fetch: async () => problem(codes[sent++] ?? "", new Date(now).toUTCString()),
    })
    expect((await fetch("http://here/api/me")).status).toBe(401)
    expect({ sent, isOut }).toEqual({ sent: 1, isOut: false })
    await fetch("http://here/api/me")
    expect({ sent, isOut }).toEqual({ sent: 2, isOut: true })
  })
})

it.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0",
    "Edge on Windows",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Mobile/15E Safari/604.1",
    "Safari on iPhone",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36",
    "Chrome on Mac",
  ],
  ["something else", "A browser"],
])("%s is called %s", (agent, name) => {
  expect(browserName(agent)).toBe(name)
})
