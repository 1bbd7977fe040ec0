import type { Approval } from "@byleave/core"
import { describe, expect, it } from "vitest"
import type { ProgramServers } from "../program-servers.ts"
import { runNowOffer } from "./run-now-offer.ts"

const permit = { status: "approved", caller: null, tool: { server: "notes", tool: "add" } } as Approval
const wrapped = [{ id: "notes", credential: "wrap", lastSeenAt: 0 }]

function servicesOf(programs: typeof wrapped, why?: string | null) {
  const programServers: ProgramServers = { see: async () => {}, list: async () => programs }
  return { programServers, runs: { whyNot: () => why, prepare: async () => null } }
}

describe("whether an approved call can be run now", () => {
  it("is told of a permit alone", async () => {
    const service = servicesOf([], null)
    expect(await runNowOffer(service, permit)).toEqual({ runNowOffer: { why: null } })
    expect(await runNowOffer(service, { ...permit, caller: "c1" } as Approval)).toEqual({})
    expect(await runNowOffer(service, { ...permit, status: "pending" } as Approval)).toEqual({})
  })

  it.each([
    { name: "its server runs inside the agent's client", service: servicesOf(wrapped), why: "byleave wrap" },
    { name: "its server is gone", service: servicesOf([]), why: "not among the servers" },
    { name: "its server is stopped", service: servicesOf([], "notes is stopped."), why: "notes is stopped." },
  ])("is no when $name, and says why", async ({ service, why }) => {
    expect((await runNowOffer(service, permit)).runNowOffer?.why).toContain(why)
  })
})
