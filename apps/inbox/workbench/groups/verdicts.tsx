import type { ApprovalView } from "@byleave/api"
import { BatchBar, type VerdictState } from "@byleave/ui"
import { type ReactNode, useEffect, useRef } from "react"
import { useArgumentEdit } from "../../../../packages/ui/src/verdict/edit/use-argument-edit.ts"
import { VerdictBar, type VerdictBarProps } from "../../../../packages/ui/src/verdict/verdict-bar.tsx"
import { heldCall, listedCall, minute, now, pendingCall, ranTimes, server } from "../calls.ts"
import { CardOf, idleActions, nothing } from "../card-of.tsx"
import type { Example, ExampleGroup } from "../example.ts"

const none: VerdictState = { state: "none" }
const schema = {
  type: "object",
  properties: { path: { type: "string" }, limit: { type: "integer" }, mode: { enum: ["fast", "safe"] } },
}
const several = pendingCall({
  tool: { server: "files", tool: "index" },
  args: { path: "/home/me", limit: 20, mode: "fast", deep: true },
  definition: { title: null, description: null, icon: null, annotations: null, inputSchema: schema },
})

type BarProps = Partial<VerdictBarProps> & { readonly approval?: ApprovalView; readonly isEditing?: true }

function Bar({ approval = pendingCall(), isEditing, verdict = none, ...props }: BarProps): ReactNode {
  const edit = useArgumentEdit(approval, verdict, undefined)
  const start = useRef(edit.start)
  useEffect(() => {
    if (isEditing) start.current()
  }, [isEditing])
  return (
    <VerdictBar
      approval={approval}
      server={server}
      alsoWaiting={[]}
      verdict={verdict}
      actions={idleActions}
      isFresh={false}
      blocked={null}
      folded={null}
      editing={null}
      edit={edit}
      hasKeys={false}
      {...props}
    />
  )
}

const bar = (id: string, title: string, props: BarProps = {}): Example => ({
  id: `verdict-${id}`,
  title,
  Draw: () => <Bar {...props} />,
})

const chosen = ["one", "two", "three"].map((id) => listedCall(id))
const masked = listedCall("secret", { risks: { count: 1, kinds: ["secret-like"] } })

function batch(id: string, title: string, props: Partial<Parameters<typeof BatchBar>[0]>): Example {
  return {
    id: `batch-${id}`,
    title: `several at once: ${title}`,
    Draw: () => (
      <BatchBar
        chosen={chosen}
        answers={null}
        unsent={null}
        onTakeBack={nothing}
        isSending={false}
        loadCalls={async (ids) => ids.map((each) => pendingCall({ id: each }))}
        onSend={nothing}
        onClear={nothing}
        {...props}
      />
    ),
  }
}

const error = { isError: true, content: [{ type: "text", text: "No such folder." }] }

export const verdicts: ExampleGroup = {
  title: "Answers",
  examples: [
    bar("none", "nothing said yet"),
    bar("unsent", "can be taken back", { verdict: { state: "unsent", kind: "approve", until: now + 60 * minute } }),
    bar("sending", "being sent", { verdict: { state: "sending", kind: "approve" } }),
    bar("refused", "refused", {
      verdict: { state: "refused", code: "already-settled", why: "Somebody else has decided this call." },
    }),
    bar("unanswered", "no answer came", {
      verdict: { state: "refused", isUnknown: true, why: "Byleave did not answer." },
    }),
    bar("blocked", "blocked by a masked secret", {
      blocked: "1 value is hidden. Reveal it before you allow the call.",
    }),
    bar("folded", "something is folded away", { folded: { words: "Expand all", onOpen: nothing } }),
    bar("auto-approve", "the whole server for a thread", { offersAutoApprove: true }),
    bar("once", "may not be remembered", { approval: pendingCall({ remember: "never" }) }),
    bar("groups", "needs two reviewers of a group", {
      approval: pendingCall({
        needs: { approvals: 2, groups: ["operators"], selfApproval: false },
        votes: [{ reviewer: "ada", groups: ["operators"], kind: "approve", digest: "d1", at: now }],
      }),
    }),
    bar("edit", "arguments being edited", { approval: several, isEditing: true }),
    bar("edit-problem", "edited arguments that do not fit", {
      approval: several,
      isEditing: true,
      verdict: { state: "refused", why: "The arguments do not fit.", problems: ["#/limit: must be at most 10"] },
    }),
    {
      id: "verdict-own-token",
      title: "not this person's to allow",
      Draw: () => (
        <CardOf approval={pendingCall({ principal: { id: "claude", owner: "ada" } })} me={{ id: "ada", groups: [] }} />
      ),
    },
    batch("chosen", "chosen", {}),
    batch("left-out", "one left out", { chosen: [...chosen, masked] }),
    batch("unsent", "can be taken back", {
      unsent: { kind: "approve", until: now + 60 * minute, calls: 3, denied: 0 },
    }),
    batch("sending", "being sent", { isSending: true }),
    batch("answers", "answered", {
      answers: chosen.map((listed, at) => ({
        listed,
        approval: at === 0 ? { ...heldCall(), ...ranTimes, status: "failed", delivered: true, error } : listed,
        ok: at < 2,
        problem: at < 2 ? null : "Somebody else has decided this call.",
      })),
    }),
  ],
}
