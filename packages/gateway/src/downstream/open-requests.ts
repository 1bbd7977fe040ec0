/**
 * How many requests of one principal are open at once, and how much they hold, so that one agent leaves the others and the people who decide their share. A call
 * that waits for a person is not among them: held calls have limits of their own.
 */
import { type BodyBudget, type BodyShare, freeBodyBytes, type JudgingTurns } from "@byleave/core"
import { errorCode, rpcError } from "../wire/errors.ts"
import { createIndexedList, type Indexed } from "../wire/indexed-list.ts"
import type { RequestId } from "../wire/message.ts"
import type { FrontResponse } from "./front-message.ts"
import { refuse } from "./http-answer.ts"
import type { UnreadReplies } from "./unread-replies.ts"

/** Limits that are not set have a default. */
export type OpenRequestLimits = {
  /** Of one principal, without those that wait for a person; 1,000. */
  readonly perPrincipal: number
  /** Of all principals together, with those that wait; 12,288. */
  readonly inAll: number
}

/** With more of them open, each request of a principal waits for its turn, so that many small ones leave others theirs, too. */
const crowd = 128

const usual: OpenRequestLimits = { perPrincipal: 1_000, inAll: 12_288 }

export type OpenRequest = {
  /** Counts the requests in the message that arrived. False: there are too many, and the message was refused. */
  readonly asks: (count: number, id: RequestId | null) => boolean
  /** Its body has so many bytes by now. Null: they may be kept; else why not. */
  readonly grows: (total: number) => string | null
  /** Its body has arrived, and holds what is to begin. Null: it can be worked on at once; else when it is its turn: true, or false when it is over already. */
  readonly turn: () => Promise<boolean> | null
  /** One of them waits for a person from now on. */
  readonly waits: () => void
  /** Of its body, as far as it has arrived. */
  readonly bytes: () => number
  /** Something works on the body, also when its response is over: it counts until the returned function is called. */
  readonly uses: () => () => void
  /** The body counts again where it did not while a person was waited for. False: there is no room for it. */
  readonly counts: () => boolean
  /** It was broken off: nothing more is done for it. */
  readonly isEnded: () => boolean
  /** Whether a large reply of so many characters may be written now, with all that its principal has not read. */
  readonly fits: (characters: number) => boolean
}

export type OpenRequests = {
  /** Counted until its response is over. Null: it was refused before it was read. */
  readonly begin: (principal: string, response: FrontResponse) => OpenRequest | null
  /** Breaks off what a principal began before `until`. */
  readonly end: (principal: string, until: number) => void
}

export function createOpenRequests(
  limits: () => Partial<OpenRequestLimits>,
  bodies: BodyBudget,
  unread: UnreadReplies,
  now: () => number,
  judging?: JudgingTurns,
): OpenRequests {
  let inAll = 0
  const begun = createIndexedList<Begun>()
  const open = new Map<string, number>()
  const add = (principal: string, count: number): void => {
    const now = (open.get(principal) ?? 0) + count
    if (now > 0) open.set(principal, now)
    else open.delete(principal)
  }
  return {
    end: (principal, until) => {
      for (const each of begun.all()) {
        if (each.principal !== principal || each.since >= until) continue
        each.isEnded = true
        each.response.destroy()
      }
    },
    begin: (principal, response) => {
      const { perPrincipal: most = usual.perPrincipal, inAll: mostInAll = usual.inAll } = limits()
      if (inAll >= mostInAll) {
        refuse(response, 503, fullHouse, { "retry-after": "5" })
        return null
      }
      // A principal at its limit can still withdraw requests, or answer questions.
      if ((open.get(principal) ?? 0) >= 2 * most) {
        refuseMore(response, most, null)
        return null
      }
      let mine = 1
      let body: BodyShare | null = null
      let leaveTurn = (): void => {}
      let bytes = 0
      let users = 0
      const uses = (): (() => void) => {
        let isOver = false
        users++
        return () => {
          if (isOver) return
          isOver = true
          users--
          if (users === 0) body?.release()
        }
      }
      const turnToJudge = (): Promise<boolean> | null => {
        if (judging?.isBusy(principal) !== true) return null
        const { turn, leave } = judging.wait(principal)
        leaveTurn = leave
        return turn
      }
      const answered = uses()
      inAll++
      add(principal, 1)
      const own: Begun = { principal, since: now(), response, isEnded: false, index: -1 }
      begun.add(own)
      response.on("close", () => {
        begun.remove(own)
        inAll--
        add(principal, -mine)
        leaveTurn()
        answered()
      })
      return {
        asks: (count, id) => {
          if (count !== mine) add(principal, count - mine)
          mine = count
          if ((open.get(principal) ?? 0) <= most) return true
          refuseMore(response, most, id)
          return false
        },
        grows: (total) => {
          bytes = total
          if (total <= freeBodyBytes) return null
          body ??= bodies.share(principal)
          return body.grow(total)
        },
        turn: () => {
          const isCrowded = (open.get(principal) ?? 0) > crowd
          if (isCrowded) body ??= bodies.share(principal)
          const turn = body?.turn(isCrowded) ?? null
          if (turn === null) return turnToJudge()
          return turn.then((isIts) => (isIts ? (turnToJudge() ?? true) : false))
        },
        waits: () => {
          if (mine === 0) return
          mine--
          add(principal, -1)
          if (mine === 0) body?.release()
        },
        bytes: () => bytes,
        uses,
        counts: () => body === null || body.grow(bytes) === null,
        isEnded: () => own.isEnded,
        fits: (characters) => unread.fits(principal, response, characters),
      }
    },
  }
}

type Begun = Indexed & {
  readonly principal: string
  readonly since: number
  readonly response: FrontResponse
  isEnded: boolean
}

const fullHouse =
  "Agents have as many requests open here as there may be. Nothing was done. Try again in a few seconds."

function refuseMore(response: FrontResponse, most: number, id: RequestId | null): void {
  const words = `This agent has ${most} requests open, which is as many as it may. Nothing was done. Wait until one of them is answered, then try again.`
  refuse(response, 429, rpcError(errorCode.transport, words), { "retry-after": "1" }, id)
}
