import type { Call, Outcome } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { gatePaths } from "./gate-paths.ts"
import type { GateTransport } from "./gate-transport.ts"
import type { SubmitLine } from "./gate-wire.ts"
import type { Performed } from "./perform-here.ts"
import { resumeRun } from "./resume-run.ts"
import { createToldTools } from "./told-tools.ts"

const call: Call = {
  tool: { server: "files", tool: "write" },
  args: { path: "/a" },
  principal: { id: "agent" },
  session: { principal: "agent", id: "s1", named: true },
}
const recorded: Outcome = { kind: "result", result: "ours", approval: "a1", notes: [] }
const performed: Performed = { ran: { kind: "succeeded", result: "ours" }, outcome: recorded }
const run: SubmitLine = { type: "run", run: "r1", args: null, approval: "a1" }

type Said = { readonly lines?: readonly SubmitLine[]; readonly breaks?: boolean; readonly status?: number }

const taken: Said = { lines: [run, { type: "outcome", outcome: recorded }] }
const without: Said = { lines: [{ type: "outcome", outcome: null }] }
const gone: Said = { breaks: true }

/** A run to be told about, and services that say what the test tells them, one after the other; the last one stays. */
function begin(...services: readonly Said[]) {
  const posts: Array<readonly [path: string, body: unknown]> = []
  const closing = new AbortController()
  let [asked, pauses, cancels] = [0, 0, 0]
  const transport: GateTransport = {
    post: async (path, body, { onLine } = {}) => {
      posts.push([path, JSON.parse(body)])
      if (path !== gatePaths.resume) return { status: 200, text: "{}" }
      const { lines = [], breaks, status = 200 } = services[Math.min(asked, services.length - 1)] ?? gone
      asked += 1
      for (const line of lines) onLine?.(JSON.stringify(line))
      await new Promise((resolve) => setImmediate(resolve))
      if (breaks === true) throw new Error("broken")
      return { status, text: '{"detail":"not for you"}' }
    },
    get: async () => ({ status: 404, text: "{}" }),
  }
  const cancel = (): void => {
    cancels += 1
  }
  const resume = (closesAfter = Number.POSITIVE_INFINITY) => {
    const pause = async (): Promise<void> => {
      pauses += 1
      if (pauses >= closesAfter) closing.abort()
    }
    const remote = {
      program: undefined,
      transport,
      newId: () => "s1",
      pause,
      mayStillRun: async () => true,
      told: createToldTools(transport),
      settling: new Set<never>(),
    }
    const begun = { performed: Promise.resolve(performed), cancel }
    return resumeRun({ ...remote, closing: closing.signal }, call, "a1", begun)
  }
  return { resume, posts, asked: () => asked, cancels: () => cancels }
}

describe("a run whose service is gone", () => {
  it("I1: is told to the next one, by the name that this gives it", async () => {
    const { resume, posts } = begin(taken)
    await resume()
    const from = { agent: "agent", session: { id: "s1", named: true } }
    expect(posts).toEqual([
      [gatePaths.resume, { from, approval: "a1" }],
      [gatePaths.settle("r1"), performed.ran],
    ])
  })

  it.each<{ name: string; first: Said }>([
    { name: "is not there", first: gone },
    { name: "breaks off before it recorded the outcome", first: { lines: [run], breaks: true } },
    { name: "is in trouble", first: { status: 500 } },
    { name: "is busy", first: { status: 429 } },
    { name: "does not know yet that the other is gone", first: without },
  ])("I2: is told again where a service $name", async ({ first }) => {
    const { resume, asked, posts } = begin(first, taken)
    await resume()
    expect(asked()).toBe(2)
    expect(posts.at(-1)).toEqual([gatePaths.settle("r1"), performed.ran])
  })

  it("I2: is given up when no service has it, and when its gate closes", async () => {
    const unknown = begin(without)
    await expect(unknown.resume()).rejects.toThrow("none came back")
    expect(unknown.asked()).toBe(61)
    const closed = begin(gone)
    await expect(closed.resume(3)).rejects.toThrow("none came back")
    expect(closed.asked()).toBe(4)
  })

  it.each<{ name: string; said: Said; words: string }>([
    { name: "says no", said: { status: 403 }, words: "not for you" },
    {
      name: "has given it up already",
      said: { lines: [{ type: "outcome", outcome: { kind: "unknown", detail: "it stopped", approval: "a1" } }] },
      words: "it stopped",
    },
  ])("I3: is not told again where a service $name, and that is said", async ({ said, words }) => {
    const { resume, asked } = begin(said, taken)
    await expect(resume()).rejects.toThrow(`The outcome of a call was not taken: ${words}`)
    expect(asked()).toBe(1)
  })

  it("I4: hears of a cancel from the next one", async () => {
    const { resume, cancels } = begin({ lines: [run, { type: "cancelled" }, { type: "outcome", outcome: recorded }] })
    await resume()
    expect(cancels()).toBe(1)
  })
})
