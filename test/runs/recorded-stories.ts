import type { ScriptedStep } from "@byleave/core"
import { recordRun } from "@byleave/runs"
import { answer, openRuns, startRun, type World } from "./open-runs.ts"

type Given = { readonly kind: "approve" | "deny"; readonly reason?: string; readonly args?: { readonly path: string } }

/** A run from its task to its end: what the model does, and what is answered to the calls that wait, pause by pause. */
export type Story = {
  readonly task: string
  readonly steps: readonly ScriptedStep[]
  readonly answers: ReadonlyArray<readonly Given[]>
}

const write = (path: string) => ({ tool: "files(write)", args: { path } })

/** The runs of `recordings/`, by the names of their files. */
export const stories: { readonly [file: string]: Story } = {
  "run-denied-with-reason.jsonl": {
    task: "Write the report into the archive.",
    steps: [
      { reasoning: "The archive is a folder.", say: "I will write it there.", calls: [write("archive/report.md")] },
      { say: "The archive is not to be changed, so I left it as it is." },
    ],
    answers: [[{ kind: "deny", reason: "The archive is closed." }]],
  },
  "run-two-calls-one-denied.jsonl": {
    task: "Tidy my notes.",
    steps: [
      {
        say: "I will look, and write both.",
        calls: [
          { tool: "files(read)", args: { path: "notes.md" } },
          { tool: "files(delete)", args: { path: "old.md" } },
          write("a.md"),
          write("a.md"),
        ],
      },
      { say: "One of them is written." },
    ],
    answers: [[{ kind: "approve" }, { kind: "deny" }]],
  },
  "run-pauses-twice.jsonl": {
    task: "Write it, then move it.",
    steps: [
      { say: "First I write it.", calls: [write("draft.md")] },
      { say: "Now I move it.", calls: [{ tool: "files(move)", args: { path: "draft.md" } }] },
      { say: "It is where you wanted it." },
    ],
    answers: [[{ kind: "approve", args: { path: "drafts/draft.md" } }], [{ kind: "approve" }]],
  },
}

export async function playStory({ task, steps, answers }: Story): Promise<{ world: World; id: string }> {
  const world = await openRuns(steps)
  let run = await startRun(world, task)
  for (const given of answers) {
    if (run.status !== "paused") throw new Error(run.status)
    for (const [at, { approval }] of run.requirements.entries()) {
      const { kind = "approve", ...more } = given[at] ?? {}
      await answer(world, approval, kind, more)
    }
    await world.runs.go(run.id, {}, "ana")
    const settled = await world.runs.settled(run.id)
    if (settled === undefined) throw new Error("The run is gone.")
    run = settled
  }
  return { world, id: run.id }
}

export async function recordedText({ world, id }: { readonly world: World; readonly id: string }): Promise<string> {
  const who = { principal: { id: "run" }, session: { principal: "run", id, named: true } }
  const { tools } = await world.tools.list(["files"], who)
  const recorded = await recordRun({ gate: world.gate, tools }, id)
  if (!recorded.ok) throw new Error(recorded.refusal.code)
  return recorded.text
}
