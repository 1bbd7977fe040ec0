import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type AgentRun, type AgentRunStatus, type Requirement, type RunningRun, setupBytes } from "./agent-run.ts"
import {
  type RunEvent,
  type RunProgress,
  type RunRefusal,
  type RunTransition,
  runTransition,
} from "./run-transition.ts"

type EventOf<Type extends RunEvent["type"]> = Extract<RunEvent, { type: Type }>

const start = 1_000_000
const lease = start + 30_000
const tool = { server: "files", tool: "write_file" }
const requirement: Requirement = { approval: "a1", toolCall: "t1", tool }
const progress: RunProgress = { steps: 3, usage: { input: 30, output: 20, total: 50 }, bytes: 900 }

const running: RunningRun = {
  id: "r1",
  version: 4,
  principal: "run",
  startedBy: { kind: "reviewer", id: "ada" },
  createdAt: start,
  updatedAt: start,
  title: "Write a file",
  setup: { model: "small", servers: ["files"], maxSteps: 9 },
  legs: 2,
  steps: 2,
  usage: { input: 10, output: 10, total: 20 },
  bytes: 500,
  status: "running",
  owner: "p1",
  leaseUntil: lease,
  answered: [requirement],
}
const { status: _, owner: __, leaseUntil: ___, answered: ____, ...facts } = running
const runs: { readonly [Status in AgentRunStatus]: Extract<AgentRun, { status: Status }> } = {
  running,
  paused: { ...facts, status: "paused", pausedAt: start, requirements: [requirement] },
  finished: { ...facts, status: "finished", endedAt: start },
  failed: { ...facts, status: "failed", endedAt: start, retryable: true, detail: "The model is gone." },
  cancelled: { ...facts, status: "cancelled", endedAt: start, by: "ada", detail: "Not needed." },
}
const lost: AgentRun = { ...runs.failed, retryable: false }

const at = start + 1_000
const resume = (changes: Partial<EventOf<"resume">> = {}): RunEvent => ({
  type: "resume",
  owner: "p2",
  leaseUntil: at + 30_000,
  at,
  ...changes,
})
const takeOver = (changes: Partial<EventOf<"take-over">> = {}): RunEvent => ({
  type: "take-over",
  from: "p1",
  isGone: false,
  owner: "p2",
  leaseUntil: lease + 60_000,
  at,
  ...changes,
})
const events: { readonly [Type in RunEvent["type"]]: EventOf<Type> } = {
  resume: { type: "resume", owner: "p2", leaseUntil: at + 30_000, at },
  "set-face": { type: "set-face", face: { kind: "chat" }, at },
  rename: { type: "rename", title: "Another name", at },
  stop: { type: "stop", by: "ada", bytes: 0, at },
  "renew-lease": { type: "renew-lease", owner: "p1", leaseUntil: lease + 10_000, at },
  "take-over": { type: "take-over", from: "p1", isGone: true, owner: "p2", leaseUntil: lease + 60_000, at },
  progress: { type: "progress", owner: "p1", leg: 2, at, ...progress },
  pause: { type: "pause", owner: "p1", leg: 2, requirements: [requirement], at, ...progress },
  finish: { type: "finish", owner: "p1", leg: 2, at, ...progress },
  fail: { type: "fail", owner: "p1", leg: 2, retryable: false, detail: "Too many steps.", at, ...progress },
  cancel: { type: "cancel", by: "ada", detail: "Not needed.", at },
}

describe("from each state, each event", () => {
  const notOwned: RunRefusal = { code: "run-not-owned" }
  const byOwner = { "renew-lease": notOwned, "take-over": notOwned, progress: notOwned, pause: notOwned } as const
  const noOwner = { ...byOwner, finish: notOwned, fail: notOwned, cancel: "cancelled" } as const
  const over: RunRefusal = { code: "run-ended", status: "cancelled" }
  const table = {
    running: {
      resume: { code: "run-under-way", owner: "p1" },
      "set-face": "running",
      rename: "running",
      stop: "failed",
      "renew-lease": "running",
      "take-over": "running",
      progress: "running",
      pause: "paused",
      finish: "finished",
      fail: "failed",
      cancel: "cancelled",
    },
    paused: { ...noOwner, resume: "running", "set-face": "paused", rename: "paused", stop: "failed" },
    finished: {
      ...noOwner,
      resume: { code: "run-has-nothing-to-do", status: "finished" },
      "set-face": "finished",
      rename: "finished",
      stop: { code: "run-has-nothing-to-do", status: "finished" },
    },
    failed: {
      ...noOwner,
      resume: "running",
      "set-face": "failed",
      rename: "failed",
      stop: { code: "run-has-nothing-to-do", status: "failed" },
    },
    cancelled: {
      resume: over,
      "set-face": over,
      rename: over,
      stop: over,
      "renew-lease": over,
      "take-over": over,
      progress: over,
      pause: over,
      finish: over,
      fail: over,
      cancel: over,
    },
  } as const satisfies Record<AgentRunStatus, Record<RunEvent["type"], AgentRunStatus | RunRefusal>>

  const rows = Object.values(runs).flatMap((run) =>
    Object.values(events).map((event) => ({ run, event, becomes: table[run.status][event.type] })),
  )
  it.each(rows)("$run.status, $event.type", ({ run, event, becomes }) => {
    const result = runTransition(run, event)
    if (typeof becomes === "string") expect(nextOf(result).status).toBe(becomes)
    else expect(result).toEqual({ kind: "refused", refusal: becomes })
  })
})

describe("a run", () => {
  it.each<{ name: string; run: AgentRun; event: RunEvent; status: AgentRunStatus | RunRefusal["code"] }>([
    {
      name: "I4: goes on from its end with something new to say",
      run: runs.finished,
      event: resume({ hasInput: true }),
      status: "running",
    },
    {
      name: "I4: does not go on by itself where it failed for good",
      run: lost,
      event: resume(),
      status: "run-has-nothing-to-do",
    },
    {
      name: "I4: goes on with a message where it failed for good",
      run: lost,
      event: resume({ hasInput: true }),
      status: "running",
    },
    {
      name: "I4: begins no leg while one is under way",
      run: running,
      event: resume({ hasInput: true }),
      status: "run-under-way",
    },
    {
      name: "I3: does not go on once it is cancelled",
      run: runs.cancelled,
      event: resume({ hasInput: true }),
      status: "run-ended",
    },
    {
      name: "I2: does not pause for nothing",
      run: running,
      event: { ...events.pause, requirements: [] },
      status: "run-has-no-requirement",
    },
    { name: "I1: is not taken over while its owner lives", run: running, event: takeOver(), status: "run-under-way" },
    {
      name: "I1: is not taken over just before its lease lapses",
      run: running,
      event: takeOver({ at: lease - 1 }),
      status: "run-under-way",
    },
    {
      name: "I1: is taken over once its lease has lapsed",
      run: running,
      event: takeOver({ at: lease }),
      status: "running",
    },
    {
      name: "I1: is taken over once its owner is gone",
      run: running,
      event: takeOver({ isGone: true }),
      status: "running",
    },
    {
      name: "I1: is not ended by a leg that is over, also of the process that has it",
      run: running,
      event: { ...events.fail, leg: 1 },
      status: "run-not-owned",
    },
    {
      name: "I1: is not taken from somebody who has it no more",
      run: running,
      event: takeOver({ from: "p0", isGone: true }),
      status: "run-not-owned",
    },
  ])("$name", ({ run, event, status }) => {
    const result = runTransition(run, event)
    expect(result.kind === "moved" ? result.next.status : result.refusal.code).toBe(status)
  })

  it("goes on from where it waited: it knows what was answered, and whoever takes it over does, too", () => {
    const resumed = nextOf(runTransition(runs.paused, resume()))
    expect(resumed).toMatchObject({
      answered: [requirement],
      owner: "p2",
      legs: 3,
      leaseUntil: at + 30_000,
      updatedAt: at,
    })
    const taken = nextOf(runTransition(resumed, takeOver({ from: "p2", isGone: true, owner: "p3" })))
    expect(taken).toMatchObject({ answered: [requirement], owner: "p3", legs: 3, leaseUntil: lease + 60_000 })
    expect(nextOf(runTransition(runs.failed, resume()))).toMatchObject({ answered: [] })
  })

  it("I7: a leg that failed leaves what it went on from to the next one", () => {
    const failed = nextOf(runTransition(running, { ...events.fail, retryable: true }))
    expect(failed).toMatchObject({ answered: [requirement] })
    expect(nextOf(runTransition(failed, resume()))).toMatchObject({ answered: [requirement] })
    expect(nextOf(runTransition({ ...running, answered: [] }, events.fail))).not.toHaveProperty("answered")
  })

  it("goes on with the setup it had, or the one a message brings", () => {
    const setup = { ...running.setup, model: "large" }
    expect(nextOf(runTransition(runs.paused, resume())).setup).toEqual(running.setup)
    expect(nextOf(runTransition(runs.paused, resume({ setup }))).setup).toEqual(setup)
  })
})

it("I7: a stop says who stopped it and keeps what waits for the next leg", () => {
  const stopped = nextOf(runTransition(runs.paused, events.stop))
  expect(stopped).toMatchObject({ status: "failed", retryable: true, stoppedBy: "ada", answered: [requirement] })
  expect(nextOf(runTransition(stopped, resume({ hasInput: true })))).toMatchObject({ answered: [requirement] })
})

it("is renamed without anything else changing", () => {
  expect(nextOf(runTransition(runs.paused, events.rename))).toEqual({
    ...runs.paused,
    ...{ version: 5, updatedAt: at, title: "Another name" },
  })
})

it("keeps what a face says of it and counts it, which changes nothing else", () => {
  for (const run of [running, runs.paused, runs.finished]) {
    const setup = { ...run.setup, face: { kind: "chat" } }
    const bytes = run.bytes + setupBytes(setup) - setupBytes(run.setup)
    expect(bytes).toBeGreaterThan(run.bytes)
    expect(nextOf(runTransition(run, events["set-face"]))).toEqual({ ...run, version: 5, updatedAt: at, setup, bytes })
  }
})

it("goes on after a failure from what the leg that failed went on from", () => {
  const failed = nextOf(runTransition(running, { ...events.fail, retryable: true }))
  expect(failed).toMatchObject({ status: "failed", answered: [requirement] })
  expect(nextOf(runTransition(failed, resume()))).toMatchObject({ answered: [requirement] })
})

it("ends as it was carried away, and not once it has moved on", () => {
  const carried = (ofVersion: number) => runTransition(runs.paused, { ...events.cancel, exportedAs: "s1", ofVersion })
  expect(nextOf(carried(running.version))).toMatchObject({ status: "cancelled", exportedAs: "s1" })
  expect(carried(running.version - 1)).toEqual({
    kind: "refused",
    refusal: { code: "run-changed", version: running.version },
  })
})

it("keeps why it ended, and where it went", () => {
  const failed = nextOf(runTransition(running, events.fail))
  expect(failed).toMatchObject({ retryable: false, detail: "Too many steps.", endedAt: at, ...progress })
  const cancelled = nextOf(runTransition(runs.paused, { ...events.cancel, exportedAs: "state 1" }))
  expect(cancelled).toMatchObject({ by: "ada", detail: "Not needed.", endedAt: at, exportedAs: "state 1" })
  expect(nextOf(runTransition(running, events.cancel))).not.toHaveProperty("exportedAs")
})

it("renews a lease, which changes nothing else, and never shortens it", () => {
  expect(nextOf(runTransition(running, events["renew-lease"]))).toEqual({
    ...running,
    version: 5,
    leaseUntil: lease + 10_000,
  })
  const shorter = { ...events["renew-lease"], leaseUntil: lease - 10_000 }
  expect(nextOf(runTransition(running, shorter))).toEqual({ ...running, version: 5 })
})

describe("whatever happens in whatever order", () => {
  const owner = fc.constantFrom("p1", "p2", "p3")
  const time = fc.integer({ min: start, max: start + 60_000 })
  const count = fc.nat(1_000)
  const done = {
    steps: count,
    usage: fc.record({ input: count, output: count, total: count }),
    bytes: count,
    owner,
    leg: fc.integer({ min: 1, max: 4 }),
    at: time,
  }
  const anyEvent: fc.Arbitrary<RunEvent> = fc.oneof(
    fc.record(
      { type: fc.constant("resume" as const), owner, leaseUntil: time, at: time, hasInput: fc.boolean(), bytes: count },
      { requiredKeys: ["type", "owner", "leaseUntil", "at"] },
    ),
    fc.record({ type: fc.constant("set-face" as const), face: fc.constant({}), at: time }),
    fc.record({ type: fc.constant("renew-lease" as const), owner, leaseUntil: time, at: time }),
    fc.record({
      type: fc.constant("take-over" as const),
      from: owner,
      isGone: fc.boolean(),
      owner,
      leaseUntil: time,
      at: time,
    }),
    fc.record({ type: fc.constant("progress" as const), ...done }),
    fc.record({
      type: fc.constant("pause" as const),
      requirements: fc.array(fc.constant(requirement), { maxLength: 2 }),
      ...done,
    }),
    fc.record({ type: fc.constant("finish" as const), ...done }),
    fc.record({ type: fc.constant("fail" as const), retryable: fc.boolean(), detail: fc.string(), ...done }),
    { weight: 1, arbitrary: fc.constant(events.cancel) },
  )
  /** Looks at each move of a run that begins running. */
  const eachMove = (look: (from: AgentRun, event: RunEvent, next: AgentRun) => void): void => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 30 }), (happens) => {
        let run: AgentRun = running
        for (const event of happens) {
          const result = runTransition(run, event)
          if (result.kind === "refused") continue
          look(run, event, result.next)
          run = result.next
        }
      }),
      { numRuns: 500 },
    )
  }

  it("I1: nobody but the owner moves a running run, save by cancelling it or taking it over; what a face keeps is no move", () => {
    eachMove((from, event, next) => {
      if (from.status !== "running" || event.type === "cancel") return
      if (event.type === "set-face") return expect(next).toMatchObject({ owner: from.owner, legs: from.legs })
      if ("leg" in event) expect(event.leg).toBe(from.legs)
      if (event.type !== "take-over") return expect(event).toMatchObject({ owner: from.owner })
      expect(event.from).toBe(from.owner)
      expect(event.isGone || event.at >= from.leaseUntil).toBe(true)
    })
  })

  it("I2: a run has an owner and a lease while it runs and never else, and waits for something while it is paused", () => {
    eachMove((_from, _event, next) => {
      for (const name of ["owner", "leaseUntil"]) expect(name in next).toBe(next.status === "running")
      expect("requirements" in next).toBe(next.status === "paused")
      if (next.status === "paused") expect(next.requirements.length).toBeGreaterThan(0)
    })
  })

  it("I3: nothing moves a cancelled run", () => {
    fc.assert(fc.property(anyEvent, (event) => runTransition(runs.cancelled, event).kind === "refused"))
    eachMove((from) => expect(from.status).not.toBe("cancelled"))
  })

  it("I4: a leg begins where none is under way, and nowhere else", () => {
    eachMove((from, event, next) => {
      expect(next.legs - from.legs).toBe(event.type === "resume" ? 1 : 0)
      if (event.type === "resume") expect(from.status).not.toBe("running")
      else if (next.status === "running") expect(from.status).toBe("running")
    })
  })

  it("I5: every move raises the version by one and keeps what a run is", () => {
    eachMove((from, _event, next) => {
      expect(next.version).toBe(from.version + 1)
      const { id, principal, startedBy, createdAt, title } = running
      expect(next).toMatchObject({ id, principal, startedBy, createdAt, title })
    })
  })

  it("I6: what was done is never less", () => {
    const doneBy = ({ legs, steps, usage, bytes }: AgentRun): readonly number[] => [
      ...[legs, steps, bytes],
      ...[usage.input, usage.output, usage.total],
    ]
    eachMove((from, _event, next) => {
      const before = doneBy(from)
      for (const [place, number] of doneBy(next).entries()) expect(number).toBeGreaterThanOrEqual(before[place] ?? 0)
    })
  })
})

function nextOf(result: RunTransition): AgentRun {
  if (result.kind === "refused") throw new Error(`refused: ${result.refusal.code}`)
  return result.next
}
