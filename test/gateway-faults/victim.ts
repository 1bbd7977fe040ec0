import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import type { Readable, Writable } from "node:stream"
import { fileURLToPath } from "node:url"
import type { GatewayTimes } from "@byleave/gateway"
import type { StoreSpec } from "../faults/store-spec.ts"
import type { Step } from "./hooks.ts"

export type VictimPlan = {
  readonly spec: StoreSpec
  readonly upstream: string
  readonly ahead: number
  readonly times: Partial<GatewayTimes>
  readonly leaseMs: number
}

export type Order = { readonly dieAt: Step } | { readonly approval: string; readonly kind: "approve" | "deny" }

/** A gateway in a process of its own, which somebody will kill. */
export type Victim = {
  readonly url: string
  readonly pid: number
  readonly armed: (step: Step) => Promise<void>
  /** Given at the victim. A victim that dies of it answers nothing. */
  readonly answer: (approval: string, kind: "approve" | "deny") => Promise<void>
  readonly kill: () => void
  readonly dead: Promise<void>
}

const program = fileURLToPath(new URL("./programs/gateway-process.ts", import.meta.url))
const living = new Set<ChildProcess>()
let started = 0

process.once("exit", () => {
  for (const child of living) child.kill("SIGKILL")
})

export async function startVictim(plan: VictimPlan): Promise<Victim> {
  started += 1
  const file = join(dirname(plan.spec.dispatches), `victim-${started}.json`)
  writeFileSync(file, JSON.stringify(plan))
  const child = spawn(process.execPath, [program, file], { stdio: ["pipe", "pipe", "inherit"] })
  const dead = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  living.add(child)
  void dead.then(() => living.delete(child))
  const orders = takeOrders(child, dead)
  return {
    url: await orders.url,
    pid: child.pid ?? 0,
    armed: (dieAt) => orders.give({ dieAt }),
    answer: (approval, kind) => orders.give({ approval, kind }),
    kill: () => void child.kill("SIGKILL"),
    dead,
  }
}

/** One order at a time; each is over when the victim says so, or is dead. */
function takeOrders(child: ChildProcessByStdio<Writable, Readable, null>, dead: Promise<void>) {
  const first = Promise.withResolvers<string>()
  let obeyed: () => void = () => {}
  child.stdin.on("error", () => {})
  createInterface({ input: child.stdout }).on("line", (line) => {
    const said = JSON.parse(line) as { url?: string; obeyed?: true }
    if (said.url !== undefined) first.resolve(said.url)
    if (said.obeyed) obeyed()
  })
  void dead.then(() => first.reject(new Error("The gateway died before it listened.")))
  return {
    url: first.promise,
    give: async (order: Order): Promise<void> => {
      const done = new Promise<void>((resolve) => {
        obeyed = resolve
      })
      child.stdin.write(`${JSON.stringify(order)}\n`)
      await Promise.race([done, dead])
    },
  }
}
