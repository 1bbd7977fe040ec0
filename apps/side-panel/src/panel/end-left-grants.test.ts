import type { GrantView } from "@byleave/api"
import { describe, expect, it } from "vitest"
import { endLeftGrants } from "./end-left-grants.ts"
import type { PanelClient } from "./panel-client.ts"

const grant = (id: string, thread: string | null, more: object = {}) =>
  ({
    ...{ id, effect: "allow", breadth: { kind: "server", server: "files" }, from: `approval ${id}` },
    ...(thread === null ? {} : { session: { principal: "chat", id: thread } }),
    ...more,
  }) as unknown as GrantView

/** `broken`: cannot be revoked. `inChat`: given on the service's chat page. */
function panelWith(grants: readonly GrantView[], { broken = "", inChat = "" } = {}) {
  const left = new Map(grants.map((each) => [each.id, each]))
  const value = async (found: unknown) => ({ ok: true, value: found })
  const client = {
    listGrants: () => value({ items: [...left.values()] }),
    getApproval: ({ params: { id } }: { params: { id: string } }) =>
      value({ votes: [{ kind: "approve", face: id === `approval ${inChat}` ? "chat" : "side-panel" }] }),
    revokeGrant: async ({ params: { id } }: { params: { id: string } }) => {
      if (id === broken) return { ok: false, problem: { code: "unavailable", detail: "Not now." } }
      left.delete(id)
      return value({})
    },
  } as unknown as PanelClient
  return { client, left: () => [...left.keys()] }
}

describe("auto-approval of threads", () => {
  it("I1: ends in every thread but the open one, whether it was open here before or not", async () => {
    const panel = panelWith([grant("a", "one"), grant("b", "two"), grant("c", "three")])
    await endLeftGrants(panel.client, "two", new Set(["three"]))
    expect(panel.left()).toEqual(["b"])
    await endLeftGrants(panel.client, null, new Set())
    expect(panel.left()).toEqual([])
  })

  it("leaves what holds always, what denies, other agents' sessions, and what the chat page gave in a thread that was never open here", async () => {
    const panel = panelWith(
      [
        grant("always", null),
        grant("deny", "one", { effect: "deny" }),
        grant("agent", null, { session: { principal: "claude", id: "one" } }),
        grant("page", "one"),
      ],
      { inChat: "page" },
    )
    await endLeftGrants(panel.client, null, new Set())
    expect(panel.left()).toEqual(["always", "deny", "agent", "page"])
    await endLeftGrants(panel.client, null, new Set(["one"]))
    expect(panel.left()).toEqual(["always", "deny", "agent"])
  })

  it("I2: one that cannot be ended is told, and the others end", async () => {
    const panel = panelWith([grant("a", "one"), grant("b", "two"), grant("c", "three")], { broken: "a" })
    await expect(endLeftGrants(panel.client, null, new Set())).rejects.toThrow("Not now.")
    expect(panel.left()).toEqual(["a"])
  })
})
