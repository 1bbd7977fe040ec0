import { describe, expect, it } from "vitest"
import type { CallNote } from "./call-notes.ts"
import { CallRefused, type CarryOut, createCarryOut, type ServerLink } from "./carry-out.ts"

const payload = { name: "write", arguments: { text: "x" }, key: "approval-1", address: null }
const never = new Promise<never>(() => {})

/** A browser whose notes outlive its workers, and a server that counts what it was sent. */
function openBrowser() {
  const notes = new Map<string, CallNote>()
  const sent: string[] = []
  const answering: ServerLink["call"] = async (name) => {
    sent.push(name)
    return { content: [] }
  }
  const startWorker = (
    ports: {
      call?: ServerLink["call"]
      writeNote?: (key: string, note: CallNote) => Promise<void>
      connect?: () => Promise<ServerLink>
    } = {},
  ): CarryOut =>
    createCarryOut({
      connect: ports.connect ?? (async () => ({ call: ports.call ?? answering })),
      notes: {
        noteOf: async (key) => notes.get(key) ?? null,
        write: ports.writeNote ?? (async (key, note) => void notes.set(key, note)),
        shorten: async () => {
          for (const key of notes.keys()) notes.set(key, { reply: null })
        },
      },
    })
  return { notes, sent, answering, startWorker }
}

describe("a call in the service worker", () => {
  it("R177: answers with success and data, or with an error", async () => {
    const { startWorker } = openBrowser()
    expect(await startWorker().call("s", payload)).toEqual({ success: true, data: { content: [] } })
    const refusing = startWorker({ call: () => Promise.reject(new CallRefused("No such tool.")) })
    expect(await refusing.call("s", { ...payload, key: "2" })).toEqual({ success: false, error: "No such tool." })
  })

  it("I1: is sent once, however often it is asked for, at once or one after the other", async () => {
    const { startWorker, sent } = openBrowser()
    const worker = startWorker()
    await Promise.all([worker.call("s", payload), worker.call("s", payload)])
    await worker.call("s", payload)
    expect(sent).toEqual(["write"])
  })

  it("I2: of a server that cannot be reached has failed, and may be tried again", async () => {
    const { startWorker, sent } = openBrowser()
    const away = startWorker({ connect: () => Promise.reject(new Error("Nothing answers.")) })
    expect(await away.call("s", payload)).toEqual({ success: false, error: "Nothing answers." })
    expect(await startWorker().call("s", payload)).toMatchObject({ success: true })
    expect(sent).toEqual(["write"])
  })

  it("whose connection breaks is unknown", async () => {
    const { startWorker } = openBrowser()
    const worker = startWorker({ call: () => Promise.reject(new TypeError("network error")) })
    expect(await worker.call("s", payload)).toMatchObject({ success: false, isUnknown: true })
  })
})

describe("a browser that keeps no more notes", () => {
  const full = () => Promise.reject(new Error("QUOTA_BYTES quota exceeded"))

  it("I3: a call that cannot be noted is not sent, and says so", async () => {
    const { startWorker, sent } = openBrowser()
    expect(await startWorker({ writeNote: full }).call("s", payload)).toMatchObject({
      success: false,
      error: expect.stringContaining("was not sent"),
    })
    expect(sent).toEqual([])
  })

  it("I3: has room once outcomes are forgotten, and still knows what was sent", async () => {
    const { startWorker, sent, notes } = openBrowser()
    await startWorker().call("s", payload)
    const writeNote = async (key: string, note: CallNote): Promise<void> => {
      if ([...notes.values()].some(({ reply }) => reply !== null)) return full()
      notes.set(key, note)
    }
    expect(await startWorker({ writeNote }).call("s", { ...payload, key: "2" })).toMatchObject({ success: true })
    expect(await startWorker().outcome(payload.key)).toMatchObject({ isUnknown: true })
    expect(sent).toEqual(["write", "write"])
  })

  it("I3: an outcome that is too large to be noted is told to whoever waits", async () => {
    const { startWorker, notes } = openBrowser()
    const writeNote = async (key: string, note: CallNote): Promise<void> => {
      if (note.reply !== null) return full()
      notes.set(key, note)
    }
    expect(await startWorker({ writeNote }).call("s", payload)).toMatchObject({ success: true })
    expect(notes.get(payload.key)?.reply).toBeNull()
  })
})

describe("a worker that dies", () => {
  it("I4: before it has noted the call: whoever asks the next one is told that nobody can tell, and the call is not sent any more", async () => {
    const { startWorker, sent } = openBrowser()
    void startWorker({ writeNote: () => never }).call("s", payload)
    expect(await startWorker().outcome(payload.key)).toMatchObject({ success: false, isUnknown: true })
    expect(await startWorker().call("s", payload)).toMatchObject({ success: false, isUnknown: true })
    expect(sent).toEqual([])
  })

  it("after it has noted the call, before the server answered: nobody can tell, and nothing is sent again", async () => {
    const { startWorker, sent } = openBrowser()
    void startWorker({
      call: (name) => {
        sent.push(name)
        return never
      },
    }).call("s", payload)
    await expect.poll(() => sent).toEqual(["write"])
    expect(await startWorker().call("s", payload)).toMatchObject({ success: false, isUnknown: true })
    expect(await startWorker().outcome(payload.key)).toMatchObject({ success: false, isUnknown: true })
    expect(sent).toEqual(["write"])
  })

  it("after it has noted the outcome, before anybody heard of it: the next one tells it", async () => {
    const { startWorker, sent, notes } = openBrowser()
    await startWorker().call("s", payload)
    expect(notes.get(payload.key)?.reply).toMatchObject({ success: true })
    expect(await startWorker().call("s", payload)).toMatchObject({ success: true })
    expect(await startWorker().outcome(payload.key)).toMatchObject({ success: true })
    expect(sent).toEqual(["write"])
  })

  it("I4: a call that comes while its outcome is looked up is not sent", async () => {
    const { startWorker, sent } = openBrowser()
    const worker = startWorker()
    const replies = await Promise.all([worker.outcome(payload.key), worker.call("s", payload)])
    expect(replies).toMatchObject([{ isUnknown: true }, { isUnknown: true }])
    expect(sent).toEqual([])
  })

  it("I4: notes that cannot be read tell nothing: the outcome is unknown, and has not failed", async () => {
    const unreadable = () => Promise.reject(new Error("The browser keeps nothing."))
    const notes = { noteOf: unreadable, write: unreadable, shorten: unreadable }
    const worker = createCarryOut({ connect: unreadable, notes })
    expect(await worker.outcome(payload.key)).toMatchObject({ success: false, isUnknown: true })
  })
})
