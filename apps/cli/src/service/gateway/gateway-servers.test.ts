import { expect, it } from "vitest"
import type { InForce } from "../config/plan-change.ts"
import { gatewayServers } from "./gateway-servers.ts"

it("hands a server's limits to the gateway, and none that are not set", () => {
  const transport = { kind: "http", url: "http://127.0.0.1:1/mcp", headers: new Map<string, string>() } as const
  const plain = { id: "plain", trust: "none", pin: "full", transport } as const
  const limited = { ...plain, id: "limited", timeoutMs: 1_000, toolList: { tools: 10 } }
  const servers = [plain, limited].map((config) => ({ id: config.id, config }))
  const surroundings = { env: new Map<string, string>(), platform: "linux", folder: "/" }
  expect(gatewayServers({ servers } as unknown as InForce, surroundings)).toEqual([
    { id: "plain", transport },
    { id: "limited", transport, timeoutMs: 1_000, toolList: { tools: 10 } },
  ])
})
