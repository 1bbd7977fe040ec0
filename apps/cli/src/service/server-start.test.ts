import { createRedactor } from "@byleave/core"
import type { ServerConfig } from "@byleave/formats"
import { describe, expect, it } from "vitest"
import { startWords } from "./server-start.ts"

const secret = "c4nary-5ecret-0f-the-environment"
const { redactText } = createRedactor({ values: [secret] })

function server(env: Readonly<Record<string, string>>): ServerConfig {
  const transport = { kind: "stdio" as const, command: "node", args: ["server.js"], env: new Map(Object.entries(env)) }
  return { id: "files", trust: "none", pin: "full", transport }
}

describe("how a server is started, in words for whoever says yes to it", () => {
  it("shows what its environment makes of it, and of a secret only how long it is", () => {
    const words = startWords(
      server({ NODE_OPTIONS: "--require ./other.js", UPSTREAM: secret, API_TOKEN: "plain" }),
      "/srv",
      redactText,
    )
    expect(words).toContain('NODE_OPTIONS="--require ./other.js"')
    expect(words).toContain(`UPSTREAM, a secret of ${secret.length} characters`)
    expect(words).toContain("API_TOKEN, a secret of 5 characters")
    expect(words).not.toContain(secret)
    expect(words).not.toContain("plain")
  })
})
