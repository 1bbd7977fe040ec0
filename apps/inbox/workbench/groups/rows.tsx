import type { ApprovalSummaryView } from "@byleave/api"
import { ApprovalRow } from "@byleave/ui"
import type { ReactNode } from "react"
import { listedCall, now, session } from "../calls.ts"
import { nothing } from "../card-of.tsx"
import type { Example, ExampleGroup } from "../example.ts"

type RowOf = Partial<Parameters<typeof ApprovalRow>[0]> & { readonly approval: ApprovalSummaryView }

function Row(props: RowOf): ReactNode {
  return <ApprovalRow session={session} isOpen={false} onOpen={nothing} {...props} />
}

const row = (id: string, title: string, props: RowOf): Example => ({
  id: `row-${id}`,
  title,
  Draw: () => <Row {...props} />,
})

const call = listedCall("notes")

export const rows: ExampleGroup = {
  title: "Rows of the list",
  examples: [
    row("waiting", "waiting", { approval: call }),
    row("open", "open", { approval: call, isOpen: true }),
    row("ticked", "ticked", { approval: call, isTicked: true, onTick: nothing }),
    row("nested", "below a heading of its tool", { approval: call, isNested: true }),
    row("strong", "with a strong risk", {
      approval: listedCall("hosts", { risks: { count: 2, kinds: ["sensitive-file"] }, riskLevel: "strong" }),
    }),
    row("notice", "with a risk worth a look", {
      approval: listedCall("large", { risks: { count: 1, kinds: ["large-value"] }, riskLevel: "notice" }),
    }),
    row("ending", "about to expire", {
      approval: listedCall("soon", { status: "pending", expiresAt: now + 30_000 }),
    }),
    row("gone", "whose agent is gone", { approval: listedCall("gone", { callerWaits: false }) }),
    row("secret", "with a secret", {
      approval: listedCall("token", { preview: [{ name: "token", text: "", isSecret: true }] }),
    }),
    row("allowing", "allowed, and not sent yet", {
      approval: listedCall("allowing"),
      answering: { kind: "approve", onUndo: nothing },
    }),
    row("denying", "denied, and on its way", {
      approval: listedCall("denying"),
      answering: { kind: "deny", onUndo: null },
    }),
    row("plain", "nothing kept of it", { approval: listedCall("old", { preview: null, risks: null }), session: null }),
  ],
}
