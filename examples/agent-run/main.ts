import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createGate, type JsonObject, type ScriptedStep, verifyAudit } from "@byleave/core"
import { newId, nodeHasher } from "@byleave/core/node"
import { loadConfig } from "@byleave/formats"
import { createAgent, type HostTool, openModel } from "@byleave/runs"
import { createRunStates, stateKeyFrom } from "@byleave/runs/state"
import { openKeys, openSqliteStore } from "@byleave/store/sqlite"

// Run without arguments, this program starts the story in one process and ends it in two others, as a web service would.
const [part = "all", data = await mkdtemp(join(tmpdir(), "byleave-example-"))] = process.argv.slice(2)
const cluster = join(data, "cluster")
const session = join(data, "session.json")

/** The model follows a script, so that the example needs no key: `openModel` opens real ones just so. */
const steps: readonly ScriptedStep[] = [
  { say: "Let me see what is there.", calls: [{ tool: "cluster(list_pods)", args: {} }] },
  {
    say: "I would delete these three.",
    calls: ["nginx-1", "nginx-2", "postgres-0"].map((name) => ({ tool: "cluster(delete_pod)", args: { name } })),
  },
  {
    say: "I deleted nginx-1 and nginx-2. You rejected postgres-0, so it is still there.",
    calls: [{ tool: "cluster(restart_service)", args: { name: "web" } }],
  },
  { say: "The service web was restarted." },
]

function tool(description: string, run: (args: JsonObject) => Promise<string>): HostTool {
  return { description, inputSchema: { type: "object", properties: { name: { type: "string" } } }, run }
}

// The "cluster" is a folder with a file for each pod. Approved calls of one step run at the same time.
const pods = async (): Promise<string[]> => (await readdir(cluster)).sort()
const functions = {
  cluster: {
    list_pods: tool("Lists the pods", async () => (await pods()).join(", ")),
    delete_pod: tool("Deletes a pod", async ({ name }) => {
      await rm(join(cluster, String(name)))
      return `${name} is deleted.`
    }),
    restart_service: tool("Restarts a service", async ({ name }) => `${name} is restarted.`),
    admin_reset: tool("Resets everything", async () => assert.fail("nobody may call this")),
  },
}

async function openAgent() {
  const folder = import.meta.dirname
  const text = await readFile(join(folder, "byleave.yaml"), "utf8")
  const loaded = loadConfig(text, { name: "byleave.yaml", folder, env: new Map(), hasher: nodeHasher })
  if (!loaded.ok) throw new Error(loaded.problems.map(({ line, message }) => `${line}: ${message}`).join("\n"))
  const { signer, digestKey } = openKeys(data)
  const store = await openSqliteStore({ path: join(data, "byleave.db"), hasher: nodeHasher, signer })
  const { policy } = loaded.config
  const gate = await createGate({ policy, store, now: Date.now, newId, hasher: nodeHasher, digestKey })
  const agent = createAgent({
    gate,
    model: await openModel({ name: "scripted", provider: "scripted", steps }),
    instructions: "You help people with a Kubernetes cluster.",
    functions,
    reviewer: { id: "ana", groups: [] },
    states: createRunStates({ gate, key: stateKeyFrom(digestKey), newId, now: Date.now }),
    newId,
    now: Date.now,
  })
  const close = async (): Promise<void> => {
    await agent.close()
    await gate.close()
    await store.close()
  }
  return { agent, store, signer, close }
}

/** The first request: the run pauses at what needs a person. Nothing of it stays in memory. */
async function first(): Promise<void> {
  const { agent, close } = await openAgent()
  const started = await agent.run("List the pods, then delete what is not needed.", {
    trace: { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" },
  })
  assert(started.ok)
  const { run } = started
  assert(run.isPaused)
  console.log(`agent     ${run.text}`)
  for (const { toolName, toolArgs, why } of run.activeRequirements) {
    console.log(`waits     ${toolName} ${JSON.stringify(toolArgs)}: ${why}`)
  }
  assert.deepEqual(
    run.activeRequirements.map(({ toolArgs }) => toolArgs.name),
    ["nginx-1", "nginx-2", "postgres-0"],
  )
  assert.equal((await pods()).length, 3)
  await writeFile(session, JSON.stringify(run))
  await close()
}

/** The second request, in another process: each call is decided for itself. The run pauses again, and is carried on as a sealed text. */
async function second(): Promise<void> {
  const { agent, close } = await openAgent()
  const opened = await agent.fromJSON(JSON.parse(await readFile(session, "utf8")))
  assert(opened.ok)
  const { run } = opened
  const [one, two, three] = run.activeRequirements
  assert(one !== undefined && two !== undefined && three !== undefined)
  await one.confirm("It was replaced yesterday.")
  const early = await run.continue()
  assert(!early.ok && early.refusal.code === "run-waits" && early.refusal.missing.length === 2)
  console.log(`missing   ${early.refusal.missing.length} answers`)
  await two.confirm()
  await three.reject("The database stays.")
  const next = await run.continue()
  assert(next.ok && next.run.isPaused)
  console.log(`agent     ${next.run.text}`)
  assert.deepEqual(await pods(), ["postgres-0"])
  const carried = await agent.export(next.run.id)
  assert(carried.ok)
  await writeFile(session, JSON.stringify({ state: carried.text }))
  await close()
}

/** The third request brings the state along: what had not run is asked again, and the decision comes as data. */
async function third(): Promise<void> {
  const { agent, store, signer, close } = await openAgent()
  const brought: { state: string } = JSON.parse(await readFile(session, "utf8"))
  const opened = await agent.fromJSON(brought)
  assert(opened.ok && opened.run.isPaused)
  const { pending_requirements: pending, needs_approval: needsApproval } = opened.run.response()
  assert(needsApproval)
  const [waiting] = pending
  assert.equal(waiting?.tool_name, "cluster(restart_service)")
  const last = await opened.run.continue({ decisions: [{ requirement_id: waiting.requirement_id, execute: true }] })
  assert(last.ok && last.run.status === "finished")
  console.log(`agent     ${last.run.text}`)
  const again = await agent.fromJSON(brought)
  assert(!again.ok && again.refusal.code === "state-used")
  const { is_complete: isComplete, metadata } = last.run.response()
  assert(isComplete && metadata.trace !== undefined)
  const report = await verifyAudit(store, { hasher: nodeHasher, signer })
  assert(report.ok, JSON.stringify(report.problems))
  console.log(`audit     ${report.records} records verify`)
  await close()
}

const parts = new Map([
  ["first", first],
  ["second", second],
  ["third", third],
])

if (part === "all") {
  try {
    await mkdir(cluster)
    for (const pod of ["nginx-1", "nginx-2", "postgres-0"]) await writeFile(join(cluster, pod), "")
    for (const name of parts.keys()) {
      console.log(`\n── The ${name} process`)
      execFileSync(process.execPath, [import.meta.filename, name, data], { stdio: "inherit" })
    }
    assert.deepEqual(await pods(), ["postgres-0"])
  } finally {
    await rm(data, { recursive: true })
  }
} else await parts.get(part)?.()
