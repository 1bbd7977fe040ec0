// Gives one kind of verdict on every call, while others give the opposite.
import { readFileSync } from "node:fs"
import { openFaultGate } from "../fault-gate.ts"
import { say, sayLast, waitForGo } from "../programs-talk.ts"
import { openFrom, type StoreSpec } from "../store-spec.ts"

const [file = "", kind = "approve", name = "ana"] = process.argv.slice(2)
const { spec, ids } = JSON.parse(readFileSync(file, "utf8")) as { spec: StoreSpec; ids: string[] }
const store = await openFrom(spec)
const gate = await openFaultGate(store)
await waitForGo()
const answers: Record<string, string> = {}
for (const id of ids) {
  const approval = await gate.approval(id)
  const answer = await gate.answer({
    approval: id,
    kind: kind === "approve" ? "approve" : "deny",
    digest: approval?.runDigest ?? "",
    reviewer: { id: name, groups: [] },
  })
  answers[id] = answer.ok ? "ok" : answer.refusal.code
}
say({ answers })
await waitForGo()
const seen: Record<string, string> = {}
for (const id of ids) seen[id] = (await gate.approval(id))?.status ?? "gone"
await gate.close()
await store.close()
sayLast({ seen })
