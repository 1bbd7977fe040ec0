// A long wait for real: `node test/gateway-faults/long-wait.ts [SECONDS]`. Before `byleave serve` as it is, clients that give up a
// request after 60 s wait for a person who answers after 180 s, and say what they got.
import { setTimeout as sleep } from "node:timers/promises"
import { decide, listed, openRealService } from "./real-service.ts"
import { waitingClients } from "./waiting-clients.ts"

const seconds = Number(process.argv[2] ?? 180)
const timeoutMs = 60_000
const service = await openRealService()
const { url } = await service.place.serve()
const reviewer = await service.place.reviewer(url)
const startedAt = performance.now()
const elapsed = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`

async function answerAll(): Promise<void> {
  await sleep(seconds * 1000)
  for (const [index] of waitingClients.entries()) {
    const [waiting, ...more] = await listed(reviewer, `wait ${index}`)
    if (waiting?.status !== "pending" || more.length > 0) throw new Error(`wait ${index} is not held as one call.`)
    await decide(reviewer, waiting, "approve")
  }
  console.log(`a person approved all ${waitingClients.length} after ${elapsed()}`)
}

let failed = 0

async function waitWith(index: number): Promise<void> {
  const { name, wait } = waitingClients[index] ?? {}
  try {
    const waited = await wait?.(url, `wait ${index}`, timeoutMs)
    const runs = service.runs(`wait ${index}`)
    const isDone = JSON.stringify(waited?.result).includes(`did wait ${index}`) && runs === 1
    if (!isDone) failed += 1
    const got = JSON.stringify(waited?.result)
    console.log(
      `${isDone ? "ok" : "FAILED"}  ${name}: ${got} after ${elapsed()}, ${waited?.requests} requests, dispatched ${runs}×`,
    )
  } catch (error) {
    failed += 1
    console.log(`FAILED  ${name}: ${String(error)} after ${elapsed()}`)
  }
}

console.log(`clients give a request up after ${timeoutMs / 1000} s; a person answers after ${seconds} s`)
await Promise.all([answerAll(), ...waitingClients.map((_, index) => waitWith(index))])
const audit = await service.place.command("audit", "verify", "--data", service.place.data)
console.log(`audit verify: ${audit.code === 0 ? "ok" : audit.stdout + audit.stderr}`)
await service.close()
process.exit(failed === 0 && audit.code === 0 ? 0 : 1)
