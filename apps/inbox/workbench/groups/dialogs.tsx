import { BatchDialog, Button, Dialog, type ReviewCall, readCall, SendDialog } from "@byleave/ui"
import { Palette } from "@byleave/ui/palette"
import { type ReactNode, useState } from "react"
import { ApprovalDialog } from "../../../../packages/ui/src/card/approval-dialog.tsx"
import { DenyDialog } from "../../../../packages/ui/src/verdict/deny/deny-dialog.tsx"
import { DropChangesDialog } from "../../../../packages/ui/src/verdict/edit/drop-changes-dialog.tsx"
import { type FirstChoice, RememberDialog } from "../../../../packages/ui/src/verdict/remember/remember-dialog.tsx"
import { ConfirmDialog } from "../../src/pages/places/confirm-dialog.tsx"
import { listedCall, pendingCall, server } from "../calls.ts"
import { CardOf, nothing } from "../card-of.tsx"
import type { Example, ExampleGroup } from "../example.ts"

const call = pendingCall()
const none = { state: "none" } as const
const others = ["two", "three"].map((id) => listedCall(id))
const loadCalls = async (ids: readonly string[]) =>
  ids.map((id) => pendingCall({ id, args: { path: `/home/me/${id}.md`, content: "hello" } }))

const dialog = (id: string, title: string, Draw: () => ReactNode): Example => ({
  id: `dialog-${id}`,
  title,
  Draw,
  coversPage: true,
})

const remember = (id: string, title: string, first: FirstChoice): Example =>
  dialog(id, title, () => (
    <RememberDialog
      approval={call}
      server={server}
      alsoWaiting={others}
      loadCalls={loadCalls}
      first={first}
      verdict={none}
      onClose={nothing}
      onSend={nothing}
    />
  ))

const reviewed = (id: string): ReviewCall => ({
  ...readCall(pendingCall({ id, args: { path: `/home/me/${id}.md`, content: "hello" } })),
  listed: listedCall(id),
})
const denied = reviewed("two")
const comments = new Map([
  [
    denied.key,
    new Map([
      ["1", { path: "/home/me/two.md", line: 1, isRemoved: false, quote: "hello", text: "Say who is greeted." }],
    ]),
  ],
])

function SearchPalette(): ReactNode {
  const [query, setQuery] = useState("")
  return (
    <Palette
      label="Search"
      query={query}
      onQuery={setQuery}
      onChoose={nothing}
      onClose={nothing}
      groups={[
        { title: "Pages", items: [{ id: "servers", name: "Servers" }] },
        {
          title: "Waiting",
          items: [{ id: "a1", name: "files(write_file)", words: "/home/me/notes.md", isQuoted: true }],
        },
      ]}
    />
  )
}

export const dialogs: ExampleGroup = {
  title: "Dialogs",
  examples: [
    remember("allow-session", "allow this tool for the session", {
      effect: "allow",
      scope: "session",
      breadth: "tool",
    }),
    remember("allow-folder", "always allow in a folder", { effect: "allow", scope: "always", breadth: "folder" }),
    remember("allow-custom", "allow by a pattern of one's own", { effect: "allow", scope: "agent", breadth: "custom" }),
    remember("deny-always", "always deny", { effect: "deny", scope: "always", breadth: "tool" }),
    dialog("approval", "the card of a call in a window of its own", () => (
      <ApprovalDialog onClose={nothing}>
        <CardOf approval={call} />
      </ApprovalDialog>
    )),
    dialog("deny", "deny with a reason", () => (
      <DenyDialog approval={call} verdict={none} onClose={nothing} onDeny={nothing} />
    )),
    dialog("deny-refused", "denial that was refused", () => (
      <DenyDialog
        approval={call}
        verdict={{ state: "refused", why: "Somebody else has decided this call." }}
        onClose={nothing}
        onDeny={nothing}
      />
    )),
    dialog("drop-changes", "edited arguments would be lost", () => <DropChangesDialog keep={nothing} drop={nothing} />),
    dialog("batch-allow", "allow several", () => (
      <BatchDialog
        kind="approve"
        calls={others}
        leftOut={[{ approval: listedCall("secret"), why: "It contains an unrevealed secret. Open it to review." }]}
        loadCalls={loadCalls}
        onClose={nothing}
        onSend={nothing}
      />
    )),
    dialog("batch-deny", "deny several", () => (
      <BatchDialog kind="deny" calls={others} leftOut={[]} loadCalls={loadCalls} onClose={nothing} onSend={nothing} />
    )),
    dialog("send-review", "send a review", () => (
      <SendDialog
        summary={{ allowed: [reviewed("one")], denied: [denied], unanswered: [reviewed("three")], whyNot: new Map() }}
        comments={comments}
        reasons={new Map([[denied.key, "Use the template."]])}
        onClose={nothing}
        onSend={nothing}
      />
    )),
    dialog("confirm", "confirm a change", () => (
      <ConfirmDialog
        title="Forget this permission?"
        confirm="Forget"
        busyWords="Forgetting…"
        tone="no"
        act={{ isBusy: false, problem: null }}
        onConfirm={nothing}
        onClose={nothing}
      >
        <p>Calls of files(write_file) need approval again.</p>
      </ConfirmDialog>
    )),
    dialog("plain", "any dialog", () => (
      <Dialog open onClose={nothing} title="A question" lead="What it is about." actions={<Button>Answer</Button>}>
        <p>What stands in it.</p>
      </Dialog>
    )),
    dialog("palette", "palette", SearchPalette),
  ],
}
