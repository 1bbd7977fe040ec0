import type { ApprovalView } from "@byleave/api"
import { fileAfter, heldCall, minute, now, pendingCall, ranTimes } from "../calls.ts"
import { CardOf, idleActions } from "../card-of.tsx"
import type { Example, ExampleGroup } from "../example.ts"

const held = heldCall()
const approved = {
  ...held,
  status: "approved",
  at: now - minute,
  by: "ada",
  grant: null,
  expiresAt: now + 9 * minute,
} as const
const result = { content: [{ type: "text", text: "Wrote 5 bytes to /home/me/notes.md" }] }
const error = {
  isError: true,
  content: [{ type: "text", text: "EACCES: permission denied, open '/home/me/notes.md'" }],
}
const denial = { by: "reviewer", code: "denied-by-reviewer", reason: "Not in this folder." } as const
const vote = {
  reviewer: "ada",
  groups: [],
  kind: "deny",
  digest: "d1",
  at: now,
  reason: "Not in this folder.",
} as const
const written = heldCall({ args: { path: "/home/me/main.ts", content: fileAfter } })
const detail = "files' definition of write_file changed while the call waited"

/** Each call in the state that its example is named after. */
const states: Readonly<Record<string, ApprovalView>> = {
  pending: pendingCall(),
  "pending, its agent gone": pendingCall({ callerWaits: false }),
  "pending, without an end": pendingCall({ expiresAt: null }),
  "approved, about to run": approved,
  "approved, waiting for the agent": { ...approved, callerWaits: false, runNowOffer: { why: null } },
  "approved, waiting for the agent, server stopped": {
    ...approved,
    callerWaits: false,
    runNowOffer: { why: "files is stopped." },
  },
  running: {
    ...held,
    status: "running",
    startedAt: now - 20_000,
    approvedBy: "ada",
    leaseUntil: now + minute,
    cancelAsked: false,
  },
  succeeded: { ...held, ...ranTimes, status: "succeeded", delivered: true, result },
  "succeeded, file can be put back": {
    ...written,
    ...ranTimes,
    status: "succeeded",
    delivered: true,
    result,
    readBefore: now - 12 * minute,
  },
  "succeeded, kept for the agent": {
    ...held,
    ...ranTimes,
    status: "succeeded",
    delivered: false,
    callerWaits: false,
    runNow: { by: "ada", keptUntil: now + 50 * minute },
    result,
  },
  failed: { ...held, ...ranTimes, status: "failed", delivered: true, error },
  unknown: { ...held, ...ranTimes, status: "unknown", detail: "the service was stopped while the call ran" },
  denied: { ...held, status: "denied", settledAt: now - minute, refusal: denial, by: "ada", votes: [vote] },
  "denied by a rule": {
    ...held,
    status: "denied",
    settledAt: now - minute,
    refusal: { by: "policy", code: "denied-by-rule", reason: "Notes are read-only here." },
    by: null,
  },
  expired: { ...held, status: "expired", settledAt: now - minute },
  cancelled: { ...held, status: "cancelled", settledAt: now - minute, detail: "the agent withdrew the call" },
  superseded: { ...held, status: "superseded", settledAt: now - minute, detail },
  "arguments no longer kept": {
    ...heldCall({ args: null }),
    status: "expired",
    settledAt: now - 90 * 24 * 60 * minute,
  },
}

export const cardStates: ExampleGroup = {
  title: "Card: states",
  examples: [
    ...Object.entries(states).map(
      ([title, approval]): Example => ({
        id: `card-${title.replaceAll(/[^a-z]+/g, "-")}`,
        title,
        Draw: () => <CardOf approval={approval} />,
      }),
    ),
    {
      id: "card-run-now-busy",
      title: "approved, being run now",
      Draw: () => (
        <CardOf
          approval={{ ...approved, callerWaits: false, runNowOffer: { why: null } }}
          actions={{ ...idleActions, busyWith: "run-now" }}
        />
      ),
    },
  ],
}
