import type { ApprovalView } from "@byleave/api"
import type { Breadth, Grant } from "@byleave/core"
import { useMemo, useState } from "react"
import { useNow } from "../../parts/time.tsx"
import { alsoCandidates, alsoWaitingFor, coverage } from "../batch/also-waiting.ts"
import { useWholeCalls } from "../batch/use-whole-calls.ts"
import type { GivenVerdict } from "../verdict.ts"
import { breadthChoices } from "./breadths.ts"
import { freeArguments } from "./free-arguments.ts"
import { knownAccess } from "./known-access.ts"
import { lastingForGood, readLasting } from "./lasting.ts"
import { firstPattern, readPattern } from "./pattern-draft.ts"
import type { FirstChoice, RememberDialogProps } from "./remember-dialog.tsx"
import { asIfWaiting } from "./remember-settled.ts"
import { type RememberChoices, ruleShown } from "./remembering.ts"

export type RememberDraft = ReturnType<typeof useRememberDraft>

type Begun = Pick<RememberDialogProps, "approval" | "server" | "alsoWaiting" | "loadCalls" | "first" | "isOver">

/** A rule while somebody makes it up: what would be saved, what it covers, and what else it answers. */
export function useRememberDraft({ approval, server, alsoWaiting, loadCalls, first, isOver = false }: Begun) {
  const { effect } = first
  const now = useNow()
  const [breadth, setBreadth] = useState(first.breadth)
  const [scope, setScope] = useState(first.scope)
  const [pattern, setPattern] = useState(() => firstPattern(approval, effect))
  const [lasting, setLasting] = useState(lastingForGood)
  const [ticked, setTicked] = useState<ReadonlyMap<string, boolean>>(new Map())

  const read = useMemo(() => readPattern(pattern, approval), [pattern, approval])
  const chosen = useMemo(() => {
    if (breadth === "custom") return read.ok ? read.breadth : null
    return breadthChoices(approval, server, effect).find(({ name }) => name === breadth)?.breadth ?? null
  }, [breadth, read, approval, server, effect])
  const access = useMemo(() => knownAccess(server), [server])
  const folder = server?.folder ?? null
  const rememberingAt = (at: number): RememberChoices | string =>
    remembering(chosen, effect, scope, readLasting(lasting, at))
  const current = rememberingAt(now)
  const shown =
    typeof current === "string" ? { ok: false as const, problem: current } : ruleShown(approval, current, now)
  // The calls it covers do not depend on how long it lasts, and thousands may wait: they are not looked at anew every second.
  const reach = useMemo(
    () => (chosen === null ? null : reachOf(approval, effect, scope, chosen)),
    [approval, effect, scope, chosen],
  )
  const covers = reach === null ? "no" : coverage(reach, isOver ? asIfWaiting(approval) : approval, access, folder)
  // As they were when the dialog was opened: a list that changes under it would have them read again and again.
  const [candidates] = useState(() => alsoCandidates(approval, alsoWaiting).map(({ id }) => id))
  const others = useWholeCalls(candidates, loadCalls)
  const waiting = others.state === "ready" ? others.calls : none
  const also = useMemo(
    () => (reach === null || covers === "no" ? [] : alsoWaitingFor(reach, approval, waiting, access, folder)),
    [reach, covers, approval, waiting, access, folder],
  )
  const alsoChosen = also.filter(
    ({ approval: call, whyNot, atFirst }) => whyNot === null && (ticked.get(call.id) ?? atFirst),
  )

  return {
    breadth,
    setBreadth,
    scope,
    setScope,
    pattern,
    setPattern,
    read,
    lasting,
    setLasting,
    readLasting: readLasting(lasting, now),
    shown,
    free: breadth === "custom" ? freeArguments(pattern, approval) : null,
    covers,
    also,
    alsoChosen,
    others: others.state,
    choose: (id: string, isChosen: boolean) => setTicked(new Map(ticked).set(id, isChosen)),
    isReady: shown.ok && covers !== "no" && others.state !== "reading",
    toSend: (at: number): NonNullable<GivenVerdict["remember"]> | null => {
      const final = rememberingAt(at)
      if (typeof final === "string") return null
      return {
        scope,
        breadth: final.breadth,
        ...final.lasting,
        ...(alsoChosen.length === 0 ? {} : { alsoSettles: alsoChosen.map(({ approval: call }) => call) }),
      }
    },
  }
}

const none: readonly ApprovalView[] = []

function reachOf(
  approval: ApprovalView,
  effect: Grant["effect"],
  scope: FirstChoice["scope"],
  breadth: Breadth,
): Grant | null {
  const shown = ruleShown(approval, { effect, scope, breadth, lasting: {} }, 0)
  return shown.ok ? shown.grant : null
}

function remembering(
  breadth: Breadth | null,
  effect: Grant["effect"],
  scope: FirstChoice["scope"],
  lasting: ReturnType<typeof readLasting>,
): RememberChoices | string {
  if (breadth === null) return "Finish the pattern above first."
  if (!lasting.ok) return lasting.problem
  return { effect, scope, breadth, lasting: lasting.lasting }
}
