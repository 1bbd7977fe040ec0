// A gateway of its own that dies at the step it is told to: `gateway-process.ts PLAN`. Orders come as lines on standard input.
import { readFileSync } from "node:fs"
import { flushCompileCache } from "node:module"
import { createInterface } from "node:readline"
import type { GatewayServer } from "@byleave/gateway"
import { say } from "../../faults/programs-talk.ts"
import type { Step } from "../hooks.ts"
import { openFaultGateway } from "../open-gateway.ts"
import type { Order, VictimPlan } from "../victim.ts"

const { spec, upstream, ahead, times, leaseMs } = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as VictimPlan
let dyingAt: Step | null = null

const servers: readonly GatewayServer[] = [
  { id: "counting", transport: { kind: "http", url: upstream, headers: new Map() } },
]
const { url, gate } = await openFaultGateway({
  spec,
  servers,
  ahead,
  times,
  gateTimes: { leaseMs },
  reached: (step) => {
    if (step === dyingAt) process.kill(process.pid, "SIGKILL")
  },
})
await gate.expireDue()

async function obey(order: Order): Promise<void> {
  if ("dieAt" in order) dyingAt = order.dieAt
  else {
    const { approval, kind } = order
    const digest = (await gate.approval(approval))?.runDigest ?? ""
    await gate.answer({ approval, kind, digest, reviewer: { id: "ana", groups: [] } })
  }
  say({ obeyed: true })
}

// Usually kept when a process ends, which this one rarely does: the next victim starts in a third of the time.
flushCompileCache()
say({ url })
for await (const line of createInterface({ input: process.stdin })) await obey(JSON.parse(line) as Order)
process.exit(0)
