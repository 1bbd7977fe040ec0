/**
 * One caller's wait for a held call: how long it lasts, what is heard meanwhile, and what its leaving means. It begins only when the call is
 * really held, so that an allowed call pays for none of it.
 */
import { type Approval, shownName, toolName } from "@byleave/core"
import type { Exchange } from "../wire/exchange.ts"
import { progressTokenOf } from "../wire/progress-token.ts"
import type { Signal } from "../wire/signal.ts"
import { budgetOf, isTimeLimit } from "./budgets.ts"
import type { HoldContext } from "./context.ts"
import { withdrawCall } from "./withdraw-call.ts"

export type Holding = {
  /** Over once this caller has waited long enough, or is gone. */
  readonly until: () => Promise<void>
  /** The call is this approval: whatever comes of it, its caller's leaving is about that from now on. */
  readonly follow: (approval: string) => void
  /** The call is held, or comes back to one that is: from now on this caller waits for it. */
  readonly begin: (approval: Pick<Approval, "id" | "tool">) => void
  /** The call runs; progress from now on is the server's. */
  readonly runs: (approval: string) => void
  /** Whether its caller withdrew it before the end; one that was gone at its client's time limit did not. */
  readonly isWithdrawn: () => boolean
  /** Its reply is given: the caller's end is no leaving any more. */
  readonly end: () => void
}

const progressMs = 5_000

export function createHolding(context: HoldContext, exchange: Exchange): Holding {
  const startedAt = context.now()
  let made: Holding | null = null
  const wait = (): Holding => {
    made ??= createWait(context, exchange, startedAt)
    return made
  }
  return {
    until: () => wait().until(),
    follow: (approval) => wait().follow(approval),
    begin: (approval) => wait().begin(approval),
    runs: (approval) => wait().runs(approval),
    isWithdrawn: () => wait().isWithdrawn(),
    end: () => made?.end(),
  }
}

function createWait(context: HoldContext, exchange: Exchange, startedAt: number): Holding {
  const { promise, resolve: letGo } = Promise.withResolvers<void>()
  const stops: Array<() => void> = []
  let stopProgress: () => void = () => {}
  let held: string | null = null
  let isRunning = false
  let isListening = false
  let isKeptOpen = false
  let isWithdrawn = false
  let isOver = false

  const cancel = (approval: string, detail?: string): void => {
    withdrawCall(context, approval, exchange.caller.principal.id, { detail }).catch((error: unknown) =>
      context.log(`A withdrawn call could not be cancelled: ${String(error)}`),
    )
  }
  const isRevoked = (): boolean => exchange.isRevoked?.() === true
  const cancelWithdrawn = (approval: string): void => cancel(approval, isRevoked() ? tokenRevoked : undefined)
  const withdraw = (): void => {
    const { client, era } = exchange.caller
    const isClock = era === "legacy" && isTimeLimit(client, hasToken(exchange), context.now() - startedAt)
    isWithdrawn = !isClock || isRevoked()
    if (held === null || !isWithdrawn) letGo()
    else cancelWithdrawn(held)
  }
  const drop = (): void => {
    if (held === null || exchange.isGone?.() !== true) letGo()
    // A running call has the time its front gives it.
    else if (!isRunning) cancel(held, clientGone)
  }
  const listen = (): void => {
    if (isListening || isOver) return
    isListening = true
    stops.push(onAbort(exchange.dropped, drop), onAbort(exchange.withdrawn, withdraw))
  }
  const follow = (approval: string): void => {
    if (held !== null) return
    held = approval
    exchange.onHeld?.(approval)
    // Its caller may have left before there was anything to withdraw.
    if (isWithdrawn) cancelWithdrawn(approval)
    else if (exchange.isGone?.() === true) cancel(approval, clientGone)
    listen()
  }
  const keepOpen = (approval: string): void => {
    follow(approval)
    if (isKeptOpen) return
    isKeptOpen = true
    exchange.keepOpen()
    const timer = setTimeout(letGo, Math.max(0, patienceOf(context, exchange) - (context.now() - startedAt)))
    stops.push(() => clearTimeout(timer))
  }
  return {
    until: () => {
      listen()
      return promise
    },
    follow,
    begin: (approval) => {
      if (isKeptOpen) return
      keepOpen(approval.id)
      stopProgress = tellProgress(exchange, `Waiting for a person to approve ${shownName(toolName(approval.tool))}`)
    },
    runs: (approval) => {
      isRunning = true
      keepOpen(approval)
      stopProgress()
    },
    isWithdrawn: () => {
      listen()
      return isWithdrawn
    },
    end: () => {
      isOver = true
      stopProgress()
      for (const stop of stops) stop()
    },
  }
}

const clientGone = "its client is gone."
const tokenRevoked = "the agent's token was revoked."

/** A leg (modern) or a client's budget (legacy). */
function patienceOf(context: HoldContext, exchange: Exchange): number {
  const { era, client } = exchange.caller
  if (era === "modern") return context.times.legMs
  return budgetOf(client, hasToken(exchange), context.times.budgetMs)
}

function hasToken({ ask }: Exchange): boolean {
  return progressTokenOf(ask.params) !== undefined
}

/** In steps so small that any later progress from the server is more. */
const smallStep = 1e-6

function tellProgress(exchange: Exchange, message: string): () => void {
  const progressToken = progressTokenOf(exchange.ask.params)
  if (progressToken === undefined) return () => {}
  let said = 0
  const timer = setInterval(() => {
    said += 1
    const progress = said * smallStep
    exchange.notify({ method: "notifications/progress", params: { progressToken, progress, message } })
  }, progressMs)
  return () => clearInterval(timer)
}

function onAbort(signal: Signal, act: () => void): () => void {
  if (signal.aborted) {
    act()
    return () => {}
  }
  signal.addEventListener("abort", act, { once: true })
  return () => signal.removeEventListener("abort", act)
}
