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

export type Holding = {
  /** Over once this caller has waited long enough, or is gone. */
  readonly until: () => Promise<void>
  /** The call is held, or comes back to one that is: from now on this caller waits for it. */
  readonly begin: (approval: Pick<Approval, "id" | "tool">) => void
  /** The call runs; progress from now on is the server's. */
  readonly runs: (approval: string) => void
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
    begin: (approval) => wait().begin(approval),
    runs: (approval) => wait().runs(approval),
    end: () => made?.end(),
  }
}

function createWait(context: HoldContext, exchange: Exchange, startedAt: number): Holding {
  const { promise, resolve: letGo } = Promise.withResolvers<void>()
  const stops: Array<() => void> = []
  let stopProgress: () => void = () => {}
  let held: string | null = null
  let isRunning = false
  let listening = false

  const cancel = (approval: string, detail?: string): void => {
    context.gate
      .cancel(approval, exchange.caller.principal.id, detail)
      .catch((error: unknown) => context.log(`A withdrawn call could not be cancelled: ${String(error)}`))
  }
  const isRevoked = (): boolean => exchange.isRevoked?.() === true
  const withdraw = (): void => {
    const { client, era } = exchange.caller
    const isClock = era === "legacy" && isTimeLimit(client, hasToken(exchange), context.now() - startedAt)
    if (held === null || (isClock && !isRevoked())) letGo()
    else cancel(held, isRevoked() ? tokenRevoked : undefined)
  }
  const drop = (): void => {
    if (held === null || exchange.isGone?.() !== true) letGo()
    // A running call has the time its front gives it.
    else if (!isRunning) cancel(held, clientGone)
  }
  /** Its caller may have left before there was anything to withdraw. */
  const withdrawLate = (approval: string): void => {
    if (exchange.isGone?.() === true) cancel(approval, clientGone)
    else if (exchange.withdrawn.aborted) cancel(approval, isRevoked() ? tokenRevoked : undefined)
  }
  const listen = (): void => {
    if (listening) return
    listening = true
    stops.push(onAbort(exchange.dropped, drop), onAbort(exchange.withdrawn, withdraw))
  }
  const follow = (approval: string): void => {
    if (held !== null) return
    held = approval
    listen()
    exchange.keepOpen()
    const timer = setTimeout(letGo, Math.max(0, patienceOf(context, exchange) - (context.now() - startedAt)))
    stops.push(() => clearTimeout(timer))
  }
  return {
    until: () => {
      listen()
      return promise
    },
    begin: (approval) => {
      if (held !== null) return
      follow(approval.id)
      withdrawLate(approval.id)
      stopProgress = tellProgress(exchange, `Waiting for a person to approve ${shownName(toolName(approval.tool))}`)
    },
    runs: (approval) => {
      isRunning = true
      follow(approval)
      stopProgress()
    },
    end: () => {
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
