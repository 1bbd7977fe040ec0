import type { ApprovalView, FileChange } from "@byleave/api"
import { assertNever, shownName } from "@byleave/core"
import { shownChanges } from "../../review/shown-changes.ts"

/** The name of what is asked for: `files(write_file)`, `docs(resource:file:///a)`, `chat(sampling)`. */
export function calledText({ kind, tool }: Pick<ApprovalView, "kind" | "tool">): string {
  if (kind === "tool") return `${tool.server}(${tool.tool})`
  return hasName.has(kind) ? `${tool.server}(${kind}:${tool.tool})` : `${tool.server}(${kind})`
}

const hasName: ReadonlySet<ApprovalView["kind"]> = new Set(["resource", "prompt", "method"])

/** The words before and after the agent's name. */
export type AskWords = { readonly before: string; readonly after: string }

/** Such as "… asks to write a file with". Only what the call itself shows is said of it. */
export function askWords(approval: ApprovalView, changes: readonly FileChange[]): AskWords {
  const asks = approval.status === "pending" ? "asks" : "asked"
  switch (approval.kind) {
    case "tool":
      return { before: "", after: ` ${asks} ${toolWords(approval, changes)}` }
    case "resource":
      return { before: "", after: ` ${asks} to read the resource` }
    case "prompt":
      return { before: "", after: ` ${asks} to fetch the prompt` }
    case "method":
      return { before: "", after: ` ${asks} to send a request that is not part of MCP` }
    case "sampling":
      return { before: `A server ${asks} to use the model of `, after: "" }
    case "elicitation":
      return { before: `A server ${asks} for input from the user of `, after: "" }
    case "roots":
      return { before: `A server ${asks} for the folders of `, after: "" }
    default:
      return assertNever(approval.kind)
  }
}

function toolWords(approval: ApprovalView, changes: readonly FileChange[]): string {
  const [first] = changes
  const isOther = first !== undefined && first.how !== "patch" && !first.isNamedWriter
  if (first === undefined || isOther) return accessSaid(approval).tone === "know" ? "to read with" : "to call"
  if (first.how === "patch") return "to apply a patch with"
  const files = new Set(changes.map(({ path }) => path)).size
  const what = files === 1 ? "a file" : `${files} files`
  return first.how === "write" ? `to write ${what} with` : `to change ${what} with`
}

const accessWords = {
  classify: { read: "Read-only, according to your policy", write: "May modify data, according to your policy" },
  annotation: {
    read: "Read-only, according to its server, which you trust",
    write: "May modify data, according to its server",
  },
  name: { read: "Probably read-only, judging by its name", write: "May modify data, judging by its name" },
  default: { read: "Assumed read-only", write: "May modify data" },
} as const satisfies Record<AccessSource, Record<ApprovalView["access"], string>>

type AccessSource = NonNullable<ApprovalView["accessFrom"]>

/** Whether it can change things, and who says so: what a name suggests is never told as if it were known. */
export function accessSaid({ access, accessFrom }: ApprovalView): {
  readonly words: string
  readonly tone: "know" | "wait" | "plain"
} {
  const words = accessWords[accessFrom ?? "default"][access]
  if (access === "write") return { words, tone: "wait" }
  return { words, tone: accessFrom === "classify" || accessFrom === "annotation" ? "know" : "plain" }
}

/** The hints of a server about its tool. They are the server's word and no more. */
export type Hint = { readonly words: string; readonly isWarning: boolean }

/** A waiting call's risks tell already that it may destroy things; nothing is said twice. */
export function hintsOf(approval: ApprovalView): readonly Hint[] {
  const isTold = approval.status === "pending" && approval.risks.some(({ kind }) => kind === "destructive-verb")
  const hints = approval.definition?.annotations ?? null
  if (hints === null) return []
  const says = (name: string, value: boolean): boolean => Object.hasOwn(hints, name) && hints[name] === value
  const all: ReadonlyArray<readonly [boolean, Hint]> = [
    [says("destructiveHint", true) && !isTold, { words: "may delete or overwrite data", isWarning: true }],
    [says("destructiveHint", false), { words: "deletes nothing", isWarning: false }],
    [says("readOnlyHint", true) && approval.accessFrom !== "annotation", { words: "read-only", isWarning: false }],
    [says("openWorldHint", true), { words: "reaches external systems", isWarning: true }],
  ]
  return all.filter(([isSaid]) => isSaid).map(([, hint]) => hint)
}

/** For a person to paste: what an agent is told that stopped waiting for a call which was approved since. */
export function messageForAgent(approval: Parameters<typeof calledText>[0]): string {
  return `Your call ${shownName(calledText(approval))} has been approved. Repeat exactly the same call with the same arguments to get its result.`
}

const longestPath = 120

/** A call by its tool and the file that it changes, for where its card is covered: `files(edit_file) on src/app.ts`. */
export function callInWords(approval: ApprovalView): string {
  const [path, ...others] = new Set(shownChanges(approval).map((change) => change.path))
  const isShort = typeof path === "string" && path.length <= longestPath && others.length === 0
  return isShort ? `${shownName(calledText(approval))} on ${shownName(path)}` : shownName(calledText(approval))
}
