import { type ApprovalView, bindVerdict, followEvents, type UnboundVerdict } from "@byleave/api"
import { RefusedByService, type ReviewerClient } from "../decide/reviewer-client.ts"
import { sessionsOf } from "../decide/sessions-of.ts"
import { answerOf, callsWith } from "../decide/waiting-calls.ts"
import type { Terminal } from "../io.ts"
import type { Paint } from "../terminal/paint.ts"
import { screenOf } from "./watch-screen.ts"
import {
  type Choice,
  firstState,
  type Intent,
  press,
  type WatchState,
  withCard,
  withShown,
  withWaiting,
} from "./watch-state.ts"

export type WatchOptions = {
  readonly desk: ReviewerClient
  readonly terminal: Terminal
  readonly paint: Paint
  readonly now: () => number
  readonly pause: (ms: number) => Promise<void>
}

/** The live view, until the person leaves it. */
export async function runWatch({ desk, terminal, paint, now, pause }: WatchOptions): Promise<void> {
  let state = firstState
  const over = new AbortController()
  const show = (next: WatchState): void => {
    const screen = screenOf(next, terminal.size(), now(), paint, desk.url)
    state = withShown(next, screen.shown)
    terminal.draw(screen.lines)
  }
  const readCard = oneAtATime(async () => {
    const { at } = state
    if (at === null) return
    const reply = await desk.client.getApproval({ params: { id: at } })
    show(withCard(state, at, reply.ok ? reply.value : null, now()))
  })
  const refresh = oneAtATime(async () => {
    const waiting = await callsWith(desk.client, "pending")
    const sessions = await sessionsOf(desk.client, waiting)
    show({ ...withWaiting(state, waiting, now()), sessions })
    await readCard()
  })
  const settle = async (intent: Exclude<Intent, { readonly kind: "quit" }>): Promise<void> => {
    const said = await decide(desk, intent, now, terminal).catch(sayRefusal)
    show({ ...state, step: { kind: "looking" }, said })
    await refresh()
  }
  terminal.onKey((key) => {
    const { state: next, intent } = press(state, key, now())
    const isMoved = next.at !== state.at
    show(next)
    if (isMoved) void readCard()
    if (intent?.kind === "quit") over.abort()
    else if (intent !== undefined) void settle(intent)
  })
  terminal.onResize(() => show(state))
  const tick = setInterval(() => show(state), 1_000)
  try {
    await refresh()
    await followEvents({
      client: desk.client,
      after: 0,
      signal: over.signal,
      onEvent: ({ type }) => {
        if (type.startsWith("approval.") || type.startsWith("session.")) void refresh()
      },
      onConnected: (isConnected) => {
        show({ ...state, isConnected })
        if (isConnected) void refresh()
      },
      wait: (attempt) => pause(Math.min(250 * 2 ** attempt, 5_000)),
    })
  } catch (cause) {
    if (!over.signal.aborted) throw cause
  } finally {
    clearInterval(tick)
    terminal.close()
  }
}

/** Refreshes asked for while one is under way become one more after it. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let again = false
  const go = async (): Promise<void> => {
    do {
      again = false
      await work().catch(() => undefined)
    } while (again)
    running = undefined
  }
  return () => {
    again = running !== undefined
    running ??= go()
    return running
  }
}

async function decide(
  desk: ReviewerClient,
  intent: Exclude<Intent, { readonly kind: "quit" }>,
  now: () => number,
  terminal: Terminal,
): Promise<string> {
  const { view } = intent
  const body = await bindVerdict(
    view,
    intent.kind === "deny"
      ? { kind: "deny", face: "terminal", ...(intent.reason === "" ? {} : { reason: intent.reason }) }
      : { kind: "approve", face: "terminal", ...remembering(view, intent.choice, now()) },
  )
  const client = intent.kind === "deny" ? desk.client : await terminal.aside(() => desk.present())
  const { approval } = answerOf(await client.giveVerdict({ params: { id: view.id }, body }))
  if (intent.kind === "deny") return "Denied."
  if (approval.status === "pending")
    return `Recorded: ${approval.votes.length} of ${approval.needs.approvals} approvals.`
  return "Approved."
}

const halfAnHour = 30 * 60_000

/** Where nothing but its principal tells a session from another, "for the session" is half an hour. */
function remembering({ tool, session }: ApprovalView, choice: Choice, now: number): Pick<UnboundVerdict, "remember"> {
  if (choice === "once") return {}
  const breadth = { kind: "tool", server: tool.server, tool: tool.tool } as const
  if (choice === "always") return { remember: { scope: "always", breadth } }
  return { remember: { scope: "session", breadth, ...(session.named ? {} : { until: now + halfAnHour }) } }
}

function sayRefusal(cause: unknown): string {
  if (cause instanceof RefusedByService) return cause.message
  return `Failed: ${cause instanceof Error ? cause.message : String(cause)}`
}
