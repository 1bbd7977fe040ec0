import assert from "node:assert/strict"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  type Approval,
  type Call,
  createGate,
  createRedactor,
  type JsonObject,
  type Outcome,
  type Reviewer,
  type Run,
  toolName,
  type Verdict,
  type VerdictResult,
  verifyAudit,
} from "@byleave/core"
import { newId, nodeHasher } from "@byleave/core/node"
import { loadConfig } from "@byleave/formats"
import { openKeys, openSqliteStore } from "@byleave/store/sqlite"

// The rules come from a file, the truth lives in another; a real program would keep its data folder.
const folder = import.meta.dirname
const text = await readFile(join(folder, "byleave.yaml"), "utf8")
const loaded = loadConfig(text, { name: "byleave.yaml", folder, env: new Map(), hasher: nodeHasher })
if (!loaded.ok) throw new Error(loaded.problems.map(({ line, message }) => `${line}: ${message}`).join("\n"))
const { policy, secrets } = loaded.config

const data = await mkdtemp(join(tmpdir(), "byleave-example-"))
const { signer, digestKey } = openKeys(data)
const store = await openSqliteStore({ path: join(data, "byleave.db"), hasher: nodeHasher, signer })
const redactor = createRedactor({ values: secrets })
const gate = await createGate({ policy, store, now: Date.now, newId, hasher: nodeHasher, digestKey, redactor })

// The "server" is a Map. What matters is that nothing but the gate ever calls it.
const files = new Map([["notes.md", "Buy milk."]])
const runs: string[] = []

function toolNamed(tool: string): Run {
  return async ({ path, content, to }) => {
    runs.push(tool)
    const before = files.get(String(path))
    if (tool === "read_file") return { kind: "succeeded", result: before ?? null }
    if (tool === "move_file") files.delete(String(path))
    files.set(String(to ?? path), String(content ?? before))
    return { kind: "succeeded", result: "done" }
  }
}

const ana: Reviewer = { id: "ana", groups: [] }
type Review = (held: Approval) => Verdict

/** A reviewer signs the digest of the arguments that were shown, so nothing else can run. */
const approve = (held: Approval): Verdict => ({
  approval: held.id,
  kind: "approve",
  digest: held.runDigest,
  reviewer: ana,
})
const nobody: Review = (held) => assert.fail(`nobody should have been asked about ${toolName(held.tool)}`)

/** The agent proposes a call; whoever reviews answers while it waits. */
async function propose(tool: string, args: JsonObject, review: Review, session = "monday"): Promise<Outcome> {
  const call: Call = {
    tool: { server: "files", tool },
    args,
    principal: { id: "agent" },
    session: { principal: "agent", id: session, named: true },
  }
  const answers: Promise<VerdictResult>[] = []
  console.log(`agent     ${toolName(call.tool)} ${JSON.stringify(args)}`)
  const outcome = await gate.submit(call, toolNamed(tool), {
    onHeld: (held) => {
      console.log(`held      ${held.why}`)
      answers.push(gate.answer(review(held)))
    },
  })
  for (const answer of await Promise.all(answers)) {
    assert(answer.ok)
    console.log(`reviewer  ana: ${answer.approval.votes.map(({ kind }) => kind).join()}`)
  }
  console.log(`outcome   ${inWords(outcome)}`)
  return outcome
}

function scene(words: string): void {
  console.log(`\n── ${words}`)
}

function inWords(outcome: Outcome): string {
  switch (outcome.kind) {
    case "result":
      return `ran: ${JSON.stringify(outcome.result)}${outcome.notes.map((note) => ` (${note})`).join("")}`
    case "refusal":
      return `did not run: ${outcome.refusal.reason}`
    case "error":
      return `ran and failed: ${JSON.stringify(outcome.error)}`
    case "unknown":
      return `nobody can tell: ${outcome.detail}`
    case "ticket":
      return `still waiting as ${outcome.approval}`
  }
}

try {
  scene("A rule allows it: it runs at once.")
  const read = await propose("read_file", { path: "notes.md" }, nobody)
  assert(read.kind === "result" && read.result === "Buy milk.")

  scene("No rule speaks of it: it waits until a person approves, and runs once.")
  const written = await propose("write_file", { path: "todo.md", content: "Sell milk." }, approve)
  assert(written.kind === "result" && files.get("todo.md") === "Sell milk.")

  scene("The reviewer changes the arguments before approving; the caller is told.")
  const edited = await propose("write_file", { path: "plan.md", content: "Sell everything." }, (held) => ({
    ...approve(held),
    args: { path: "plan.md", content: "Sell nothing." },
  }))
  assert(edited.kind === "result" && files.get("plan.md") === "Sell nothing.")

  scene("A rule denies it: nobody is asked.")
  const system = await propose("write_file", { path: "/etc/passwd", content: "agent::0:0" }, nobody)
  assert(system.kind === "refusal" && system.refusal.code === "denied-by-rule")

  scene("Hidden tools are not listed, and refused when called anyway.")
  const hidden = await propose("admin_reset", {}, nobody)
  assert(hidden.kind === "refusal" && hidden.refusal.code === "hidden")

  scene("Approved for this session: the next one runs unasked, another session is asked again.")
  const remembered = await propose("move_file", { path: "todo.md", to: "done.md" }, (held) => ({
    ...approve(held),
    remember: { scope: "session", breadth: { kind: "tool", ...held.tool }, alsoSettles: [] },
  }))
  assert(remembered.kind === "result")
  const again = await propose("move_file", { path: "plan.md", to: "old.md" }, nobody)
  assert(again.kind === "result")
  const elsewhere = await propose(
    "move_file",
    { path: "notes.md", to: "/tmp/notes.md" },
    (held) => ({ ...approve(held), kind: "deny", reason: "Notes stay here." }),
    "tuesday",
  )
  assert(elsewhere.kind === "refusal" && elsewhere.refusal.code === "denied-by-reviewer")

  assert.deepEqual(runs, ["read_file", "write_file", "write_file", "move_file", "move_file"])
  scene("Everything above is on record.")
  await gate.close()
  const report = await verifyAudit(store, { hasher: nodeHasher, signer })
  assert(report.ok, JSON.stringify(report.problems))
  console.log(`audit     ${report.records} records verify: who allowed what, what ran once, what never ran`)
} finally {
  await store.close()
  await rm(data, { recursive: true })
}
