import type { ApprovalSummaryView, EventView } from "@byleave/api"
import { describe, expect, it } from "vitest"
import { waitingCall } from "../fixtures/waiting-call.ts"
import { createWaitingTable, type TableReader, type WaitingTable } from "./waiting-table.ts"

const event = (seq: number, type: string, subject: string): EventView => ({ seq, type, subject, at: seq })
const idsIn = (book: WaitingTable): readonly string[] => book.view().calls.map(({ id }) => id)

/** A service that holds these calls and can be made to answer late. */
function serviceOf(calls: ApprovalSummaryView[], pageSize = 2) {
  let hold: Promise<void> | null = null
  const reads: string[] = []
  const reader: TableReader = {
    page: async (after) => {
      reads.push(`page ${after ?? "newest"}`)
      const newest = calls.toReversed()
      const start = after === null ? 0 : Number(after)
      const items = newest.slice(start, start + pageSize)
      if (hold !== null) await hold
      return { items, next: start + pageSize < newest.length ? String(start + pageSize) : null }
    },
    one: async (id) => {
      reads.push(`one ${id}`)
      const found = calls.find((call) => call.id === id) ?? null
      if (hold !== null) await hold
      return found
    },
  }
  const holdAnswers = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    hold = promise
    return () => {
      hold = null
      resolve()
    }
  }
  return { reader, reads, holdAnswers, calls }
}

describe("the waiting book", () => {
  it("reads every page, and lists the oldest first", async () => {
    const service = serviceOf(["a", "b", "c", "d", "e"].map((id) => waitingCall(id)))
    const book = createWaitingTable(service.reader)
    await book.open(10)
    expect(idsIn(book)).toEqual(["a", "b", "c", "d", "e"])
    expect(book.view()).toMatchObject({ loading: "done", count: 5 })
  })

  it("tells of no first use once a call of the tool was approved", async () => {
    const risks = { count: 1, kinds: ["first-use"] as const }
    const warned = (id: string, parts = {}) => ({ ...waitingCall(id, parts), risks, riskLevel: "strong" as const })
    const service = serviceOf([
      warned("a"),
      warned("b"),
      warned("c", { principal: "other" }),
      warned("d", { tool: "x" }),
    ])
    const book = createWaitingTable(service.reader)
    await book.open(10)
    await book.apply([event(11, "approval.approved", "a")])
    const told = book.view().calls.map(({ id, risks: now, riskLevel }) => `${id} ${now?.kinds.join()} ${riskLevel}`)
    expect(told).toEqual(["b  none", "c first-use-by-agent notice", "d first-use strong"])
  })

  it("adds what arrives behind what is there, and says what arrived", async () => {
    const service = serviceOf([waitingCall("a")])
    const book = createWaitingTable(service.reader)
    const heard: string[] = []
    book.onNews(({ arrived }) => heard.push(...arrived.map(({ id }) => id)))
    await book.open(10)
    service.calls.push(waitingCall("b"))
    await book.apply([event(11, "approval.pending", "b")])
    expect(idsIn(book)).toEqual(["a", "b"])
    expect(heard).toEqual(["b"])
  })

  it("takes a settled call away, and says which nobody has answered", async () => {
    const book = createWaitingTable(serviceOf([waitingCall("a"), waitingCall("b"), waitingCall("c")]).reader)
    const lost: string[] = []
    book.onNews(({ expired, superseded }) => {
      lost.push(...expired.map(({ id }) => `${id} expired`), ...superseded.map(({ id }) => `${id} superseded`))
    })
    await book.open(10)
    await book.apply([
      event(11, "approval.denied", "a"),
      event(12, "approval.expired", "b"),
      event(13, "approval.superseded", "c"),
    ])
    expect(book.view().count).toBe(0)
    expect(lost).toEqual(["b expired", "c superseded"])
  })

  it("I1: never puts back a call that settled while its page was on the way", async () => {
    const service = serviceOf([waitingCall("a"), waitingCall("b")])
    const book = createWaitingTable(service.reader)
    const answer = service.holdAnswers()
    const opening = book.open(10)
    await book.apply([event(11, "approval.succeeded", "a")])
    answer()
    await opening
    expect(idsIn(book)).toEqual(["b"])
    expect(book.view().count).toBe(1)
  })

  it("I1: never puts back a call that settled while it was being read", async () => {
    const service = serviceOf([])
    const book = createWaitingTable(service.reader)
    await book.open(10)
    service.calls.push(waitingCall("a"))
    const answer = service.holdAnswers()
    const arriving = book.apply([event(11, "approval.pending", "a")])
    await book.apply([event(12, "approval.denied", "a")])
    answer()
    await arriving
    expect(book.view().count).toBe(0)
    expect(idsIn(book)).toEqual([])
  })

  it("reads a call again that was given more time", async () => {
    const service = serviceOf([waitingCall("a", { expiresAt: 50 })])
    const book = createWaitingTable(service.reader)
    await book.open(10)
    service.calls[0] = waitingCall("a", { expiresAt: 90 })
    await book.apply([event(11, "approval.changed", "a")])
    expect(book.view().calls[0]).toMatchObject({ expiresAt: 90 })
  })

  it("reads many that come at once by pages, not one by one", async () => {
    const service = serviceOf([], 100)
    const book = createWaitingTable(service.reader)
    await book.open(10)
    const ids = Array.from({ length: 60 }, (_, at) => `n${at}`)
    service.calls.push(...ids.map((id) => waitingCall(id)))
    service.reads.length = 0
    await book.apply(ids.map((id, at) => event(11 + at, "approval.pending", id)))
    expect(idsIn(book)).toEqual(ids)
    expect(service.reads).toEqual(["page newest"])
  })

  it("reads after a lost connection what could not be read then", async () => {
    const service = serviceOf([])
    let isThere = true
    const book = createWaitingTable({
      ...service.reader,
      page: (after) => (isThere ? service.reader.page(after) : Promise.reject(new Error("gone"))),
      one: (id) => (isThere ? service.reader.one(id) : Promise.reject(new Error("gone"))),
    })
    await book.open(10)
    service.calls.push(waitingCall("a"))
    isThere = false
    await book.apply([event(11, "approval.pending", "a")])
    expect(book.view()).toMatchObject({ count: 1, calls: [] })
    isThere = true
    await book.resume()
    expect(idsIn(book)).toEqual(["a"])
  })

  it("keeps nothing of calls that came and went", async () => {
    const service = serviceOf([])
    const book = createWaitingTable(service.reader)
    await book.open(0)
    for (let at = 1; at <= 200; at++) {
      service.calls.splice(0, 1, waitingCall(`c${at}`))
      await book.apply([event(2 * at, "approval.pending", `c${at}`)])
      await book.apply([event(2 * at + 1, "approval.denied", `c${at}`)])
    }
    expect(book.view()).toEqual({ loading: "done", calls: [], count: 0 })
  })
})
