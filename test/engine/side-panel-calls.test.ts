/** An approved call of the side panel that stands alone, with the end of worker, document or browser at each of its steps. */
import type { ApprovalStatus, Call, Gate, Run, Store } from "@byleave/core"
import { newMemoryDatabase } from "@byleave/store"
import { describe, expect, it } from "vitest"
import {
  callNoted,
  forgetOldNotes,
  forgetWritten,
  takeBackRunning,
} from "../../apps/side-panel/src/standalone/settle-calls.ts"
import { callByWorker, outcomeByWorker, type SendToWorker } from "../../apps/side-panel/src/standalone/worker-calls.ts"
import { answerMessage } from "../../apps/side-panel/src/worker/answer-message.ts"
import { createCallNotes } from "../../apps/side-panel/src/worker/call-notes.ts"
import { createCarryOut } from "../../apps/side-panel/src/worker/carry-out.ts"
import type { McpServers } from "../../apps/side-panel/src/worker/mcp-servers.ts"
import { callOf, holdCall, memoryStore, openEngine, policyOf, rule, yes } from "./open-engine.ts"

const steps = [
  "while it connects",
  "before the note",
  "after the note",
  "after it was sent",
  "before the outcome is noted",
  "after the outcome is noted",
  "before the outcome is written",
  "after the outcome is written",
] as const
type Step = (typeof steps)[number]

/** A worker or a document. Nothing of it goes on once it has ended. */
type Process = { hasEnded: boolean }
type Worker = Process & { readonly send: SendToWorker; readonly end: () => void }
type Document = Process & { readonly gate: Gate; readonly store: Store; readonly send: SendToWorker }

const never = new Promise<never>(() => {})
/** Nothing here waits for anything but promises: a timer comes after all that can go on. */
const allElse = () => new Promise((resolve) => setTimeout(resolve, 0))
const pay = callOf("bank(pay)", { euros: 100 })

/** A browser with the real worker, gate and notes, whose server counts what it was sent. `onStep` is told of each step, once. */
function openBrowser(onStep: (step: Step) => unknown) {
  const database = newMemoryDatabase()
  const clock = { now: 1_800_000_000_000 }
  const session = new Map<string, string>()
  const sent: unknown[] = []
  const seen = new Set<Step>()
  let worker: Worker | null = null
  const documents: Document[] = []

  const reach = async (step: Step, process: Process): Promise<void> => {
    if (!seen.has(step)) {
      seen.add(step)
      await onStep(step)
    }
    if (process.hasEnded) await never
  }
  /** As much of `chrome.storage.session` as one process sees: values are copied, and there are gaps before and after each request. */
  const areaOf = (process: Process): Parameters<typeof createCallNotes>[0] => {
    const whileItLives = async <Result>(work: () => Result): Promise<Result> => {
      await Promise.resolve()
      if (process.hasEnded) await never
      const result = work()
      await Promise.resolve()
      return process.hasEnded ? never : result
    }
    return {
      get: (names: string | readonly string[] | null) =>
        whileItLives(() => {
          const wanted = names === null ? [...session.keys()] : [names].flat()
          return Object.fromEntries(
            wanted.flatMap((name) => {
              const text = session.get(name)
              return text === undefined ? [] : [[name, JSON.parse(text)]]
            }),
          )
        }),
      set: (items: Record<string, unknown>) =>
        whileItLives(() => {
          for (const [name, value] of Object.entries(items)) session.set(name, JSON.stringify(value))
        }),
      remove: (names: string | readonly string[]) =>
        whileItLives(() => {
          for (const name of [names].flat()) session.delete(name)
        }),
    }
  }
  const startWorker = (): Worker => {
    const process = { hasEnded: false }
    const ended = Promise.withResolvers<never>()
    ended.promise.catch(() => {})
    const notes = createCallNotes(areaOf(process))
    const connect: McpServers["connect"] = async () => {
      await reach("while it connects", process)
      return {
        call: async (_name, args) => {
          sent.push(args)
          await reach("after it was sent", process)
          return { content: [] }
        },
      }
    }
    const calls = createCarryOut({
      connect,
      notes: {
        ...notes,
        write: async (key, note) => {
          await reach(note.reply === null ? "before the note" : "before the outcome is noted", process)
          await notes.write(key, note)
          await reach(note.reply === null ? "after the note" : "after the outcome is noted", process)
        },
      },
    })
    const servers = { connect } as McpServers
    return Object.assign(process, {
      send: (message: Parameters<SendToWorker>[0]) =>
        Promise.race([ended.promise, answerMessage(message, { servers, calls, showWaiting: async () => undefined })]),
      end: () => {
        process.hasEnded = true
        worker = null
        ended.reject(new Error("The message channel closed before a response was received."))
      },
    })
  }
  const openDocument = async (): Promise<Document> => {
    clock.now += 3_600_000
    const { gate, store } = await openEngine(policyOf([rule("allow", "bank(balance)")]), {
      clock,
      store: memoryStore(clock, database),
      onTrouble: () => undefined,
    })
    const process = { hasEnded: false }
    const send: SendToWorker = async (message) => {
      worker ??= startWorker()
      const reply = JSON.stringify(await worker.send(message))
      return process.hasEnded ? never : JSON.parse(reply)
    }
    const document: Document = Object.assign(process, { gate, store, send })
    documents.push(document)
    const notes = createCallNotes(areaOf(process))
    await forgetOldNotes(store, notes)
    const forget: typeof notes.forget = async (keys) => {
      await reach("after the outcome is written", process)
      await notes.forget(keys)
    }
    forgetWritten(gate, { forget }, () => undefined)
    const outcome = (server: string, key: string) => outcomeByWorker(server, key, send)
    await takeBackRunning({ gate, store, outcome, onTrouble: () => undefined })
    return document
  }
  const runOf = (document: Document, call: Call): Run => {
    const notes = createCallNotes(areaOf(document))
    return async (args, context) => {
      const outcome = await callNoted(context, notes, (key) =>
        callByWorker(call, args, { key, cancelled: context.cancelled }, document.send),
      )
      await reach("before the outcome is written", document)
      return outcome
    }
  }
  return {
    sent,
    session,
    clock,
    openDocument,
    endWorker: () => worker?.end(),
    endDocuments: () => {
      for (const document of documents) document.hasEnded = true
    },
    /** Submits a call that policy allows. */
    run: (document: Document, call: Call) => document.gate.submit(call, runOf(document, call)),
    /** Allows the call in a document, which sends it. */
    allow: async (document: Document): Promise<string> => {
      const { approval } = await holdCall({ gate: document.gate, run: runOf(document, pay) }, pay)
      await document.gate.answer(yes(approval))
      return approval.id
    },
    statusOf: (id: string): ApprovalStatus | undefined => database.approvals.get(id)?.status,
  }
}

type Browser = ReturnType<typeof openBrowser>

const endings = {
  worker: (browser) => browser.endWorker(),
  "worker and of all notes": (browser) => {
    browser.session.clear()
    browser.endWorker()
  },
  "worker, with the clock a year back,": (browser) => {
    browser.clock.now -= 365 * 86_400_000
    browser.endWorker()
  },
  document: (browser) => {
    browser.endDocuments()
    void browser.openDocument()
  },
  "document's ownership": async (browser) => {
    await browser.openDocument()
    await allElse()
  },
  browser: (browser) => {
    browser.endDocuments()
    browser.endWorker()
    browser.session.clear()
    void browser.openDocument()
  },
} satisfies Record<string, (browser: Browser) => unknown>

/** The number of sends, and the outcome on record, by the step at which it ended. */
const known = "1 succeeded"
const maybe = "1 unknown"
const unsent = "0 unknown"
const expected: Record<keyof typeof endings, readonly string[]> = {
  worker: [known, unsent, unsent, maybe, maybe, known, known, known],
  "worker and of all notes": [known, unsent, unsent, maybe, maybe, maybe, known, known],
  "worker, with the clock a year back,": [known, unsent, unsent, maybe, maybe, known, known, known],
  document: [unsent, known, known, known, known, known, known, known],
  "document's ownership": [unsent, known, known, known, known, known, known, known],
  browser: [unsent, unsent, unsent, maybe, maybe, maybe, maybe, known],
}

const rows = Object.keys(endings).flatMap((who) =>
  steps.map((step, at) => ({
    who: who as keyof typeof endings,
    step,
    result: expected[who as keyof typeof endings][at],
  })),
)

describe("an approved call of the side panel is sent at most once", () => {
  it.each(rows)("the end of the $who $step: $result", async ({ who, step, result }) => {
    const browser = openBrowser((reached) => reached === step && endings[who](browser))
    const id = await browser.allow(await browser.openDocument())
    const seen = () => `${browser.sent.length} ${browser.statusOf(id)}`
    await expect.poll(seen, { interval: 1 }).toBe(result)
    // Whatever goes on or ends afterwards, nothing is sent late.
    await allElse()
    browser.endWorker()
    browser.endDocuments()
    await browser.openDocument()
    await allElse()
    expect(seen()).toBe(result)
  })
})

describe("the notes of calls", () => {
  it("stay while a call runs, however many come after it, and go once their outcomes are written", async () => {
    const held = Promise.withResolvers<void>()
    const browser = openBrowser((step) => (step === "after it was sent" ? held.promise : undefined))
    const document = await browser.openDocument()
    const id = await browser.allow(document)
    await expect.poll(() => browser.sent.length, { interval: 1 }).toBe(1)
    for (let count = 0; count < 300; count += 1) await browser.run(document, callOf("bank(balance)"))
    expect([...browser.session.keys()]).toEqual([`call:${id}`])
    held.resolve()
    await expect.poll(() => browser.session.size, { interval: 1 }).toBe(0)
    expect(browser.statusOf(id)).toBe("succeeded")
  })

  it("that a document left go when the next one opens, save those of calls that run or are unknown", async () => {
    const browser = openBrowser((step) => step === "after it was sent" && browser.endDocuments())
    const document = await browser.openDocument()
    void browser.run(document, callOf("bank(balance)"))
    await expect.poll(() => browser.session.size, { interval: 1 }).toBe(1)
    const next = await browser.openDocument()
    expect(browser.session.size).toBe(0)
    const lost = openBrowser((step) => step === "after it was sent" && lost.endWorker())
    const id = await lost.allow(await lost.openDocument())
    await expect.poll(() => lost.statusOf(id), { interval: 1 }).toBe("unknown")
    await lost.openDocument()
    expect([...lost.session.keys()]).toEqual([`call:${id}`])
    expect(next.hasEnded).toBe(false)
  })
})
