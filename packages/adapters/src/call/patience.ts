import type { Approval, SubmitOptions } from "@byleave/core"
import type { AdapterOptions } from "./adapter-options.ts"

/** How long one call waits for people, and how its host takes it back meanwhile. */
export type Patience = {
  readonly how: SubmitOptions
  /** The call runs: from here on it is waited for as long as it takes. */
  readonly started: () => void
  readonly done: () => void
}

export function patience(
  { gate, principal, wait = true }: Pick<AdapterOptions, "gate" | "principal" | "wait">,
  signal?: AbortSignal,
): Patience {
  let timer: ReturnType<typeof setTimeout> | undefined
  let withdraw: (() => void) | undefined
  const held = Promise.withResolvers<Approval>()
  const enough = Promise.withResolvers<void>()
  const until = async (): Promise<void> => {
    // An approved call only has to run.
    const { status } = await held.promise
    if (status === "pending") timer = setTimeout(enough.resolve, Number(wait))
    await enough.promise
  }
  const onHeld = (approval: Approval): void => {
    held.resolve(approval)
    if (signal === undefined) return
    withdraw = () => void gate.cancel(approval.id, principal.id, "The agent's program withdrew it.").catch(() => {})
    if (signal.aborted) withdraw()
    else signal.addEventListener("abort", withdraw, { once: true })
  }
  const started = (): void => {
    clearTimeout(timer)
    if (withdraw !== undefined) signal?.removeEventListener("abort", withdraw)
  }
  return { how: { onHeld, ...(wait === true ? {} : { until }) }, started, done: started }
}
