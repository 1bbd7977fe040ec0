import type { SessionView } from "@byleave/api"
import { expect, it } from "vitest"
import { liveInOrder } from "./session-order.ts"

function session(id: string, more: Partial<SessionView> = {}): SessionView {
  return {
    principal: "laptop",
    id,
    named: true,
    key: id,
    client: null,
    folder: null,
    switches: [],
    firstCall: null,
    runTitle: null,
    startedAt: 1,
    lastSeenAt: 1,
    connection: { state: "unknown" },
    label: null,
    mode: "ask",
    modeUntil: null,
    modeBy: null,
    endedAt: null,
    waiting: 0,
    refused: [],
    grants: [],
    ...more,
  }
}

const idsOf = (sessions: readonly SessionView[]) => liveInOrder(sessions).map(({ id }) => id)

it("puts what runs out of the ordinary first, then what waits, then what was seen last, and who has left at the end", () => {
  const all = [
    session("old"),
    session("left", { lastSeenAt: 10, endedAt: 11, connection: { state: "gone", since: 11 } }),
    session("young", { lastSeenAt: 9 }),
    session("waits", { waiting: 1 }),
    session("runs", { mode: "autonomous" }),
  ]
  expect(idsOf(all)).toEqual(["runs", "waits", "young", "old", "left"])
})

it("leaves out what has ended, unless it waits again", () => {
  expect(idsOf([session("over", { endedAt: 5 }), session("back", { endedAt: 5, waiting: 1 })])).toEqual(["back"])
})
