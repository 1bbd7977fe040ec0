import { describe, expect, it } from "vitest"
import { ana, callOf, holdCall, openEngine, policyOf, rule, yes } from "./open-engine.ts"

const write = callOf("files(write_file)", { path: "/ws/a", content: "new" })
const back = callOf(
  "files(write_file)",
  { path: "/ws/a", content: "old" },
  { principal: { id: "inbox:ana" }, session: { principal: "inbox:ana", id: "inbox:ana", named: false } },
)

async function written() {
  const engine = await openEngine()
  const { approval, outcome } = await holdCall(engine, write)
  await engine.gate.answer(yes(approval))
  await outcome
  return { ...engine, id: approval.id }
}

describe("what a call has changed, put back by a call of its own", () => {
  it("is a new approval that names the old one, approved by the reviewer, recorded as that, and run once", async () => {
    const { gate, store, id, run, runs } = await written()
    const answer = await gate.undo(id, back, ana)
    if (!answer.ok) throw new Error(answer.refusal.code)
    const { approval } = answer
    expect(approval).toMatchObject({ status: "approved", by: "ana", undoOf: id, rerunOf: null, caller: null })
    const [judged] = await store.records({ subject: approval.id, types: ["call.asked"], limit: 1 })
    expect(JSON.parse(judged?.text ?? "")).toMatchObject({ body: { undoOf: id, principal: "inbox:ana" } })
    const ran = await gate.runNow({ approval: approval.id, digest: approval.runDigest, reviewer: ana }, run)
    if (ran.ok) await ran.ended
    expect(await gate.approval(approval.id)).toMatchObject({ status: "succeeded", undoOf: id })
    expect(runs).toEqual([write.args, back.args])
  })

  it("needs a call that succeeded, at the same server, and policy's leave", async () => {
    const { gate, store, clock, id, runs } = await written()
    const { approval: waiting } = await holdCall({ gate, run: async () => ({ kind: "succeeded", result: 1 }) }, write)
    const elsewhere = { ...back, tool: { server: "other", tool: "write_file" } }
    expect(await gate.undo(waiting.id, back, ana)).toMatchObject({ refusal: { code: "not-undoable" } })
    expect(await gate.undo("none", back, ana)).toMatchObject({ refusal: { code: "not-found" } })
    expect(await gate.undo(id, elsewhere, ana)).toMatchObject({ refusal: { code: "not-found" } })
    const denying = await openEngine(policyOf([rule("deny", "files(write_file)")]), { clock, store })
    expect(await denying.gate.undo(id, back, ana)).toMatchObject({ refusal: { code: "forbidden-by-policy" } })
    expect(runs).toHaveLength(1)
  })

  it("stays one where it failed and is run anew", async () => {
    const { gate, id } = await written()
    const answer = await gate.undo(id, back, ana)
    if (!answer.ok) throw new Error(answer.refusal.code)
    const { id: undo, runDigest } = answer.approval
    const ran = await gate.runNow({ approval: undo, digest: runDigest, reviewer: ana }, async () => ({
      kind: "failed",
      error: "no",
    }))
    if (ran.ok) await ran.ended
    const anew = await gate.rerun(undo, runDigest, ana)
    expect(anew).toMatchObject({ ok: true, approval: { status: "approved", rerunOf: undo, undoOf: id } })
  })

  it("leaves nothing waiting where the reviewer is not among those that policy asks for", async () => {
    const { store, clock, id } = await written()
    const others = policyOf([rule("ask", "files(write_file)", { reviewers: ["finance"] })])
    const { gate } = await openEngine(others, { clock, store })
    expect(await gate.undo(id, back, ana)).toMatchObject({ ok: false, refusal: { code: "not-in-group" } })
    expect(await store.approvals({ statuses: ["pending", "approved"], limit: 10 })).toEqual([])
  })

  it("waits for the others where policy wants several reviewers", async () => {
    const { store, clock, id } = await written()
    const { gate } = await openEngine(policyOf([rule("ask", "files(write_file)", { approvals: 2 })]), { clock, store })
    expect(await gate.undo(id, back, ana)).toMatchObject({ ok: true, approval: { status: "pending", undoOf: id } })
  })
})
