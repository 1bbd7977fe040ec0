import type { ApprovalView, FileChange, ServerView } from "@byleave/api"

/** What is asked for, as people read it: `files(write_file)`, `docs(resource:file:///a)`, `chat(sampling)`. */
export function calledText({ kind, tool }: Pick<ApprovalView, "kind" | "tool">): string {
  if (kind === "tool") return `${tool.server}(${tool.tool})`
  return kind === "resource" || kind === "prompt" ? `${tool.server}(${kind}:${tool.tool})` : `${tool.server}(${kind})`
}

/** What stands before and after the agent's name. */
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
    case "sampling":
      return { before: `A server ${asks} for words from the model of `, after: "" }
    case "elicitation":
      return { before: `A server ${asks} something of the person who uses `, after: "" }
    case "roots":
      return { before: `A server ${asks} for the folders of `, after: "" }
    default:
      return assertNever(approval.kind)
  }
}

function toolWords(approval: ApprovalView, changes: readonly FileChange[]): string {
  const [first] = changes
  if (first === undefined) return approval.access === "read" ? "to read with" : "to call"
  const files = new Set(changes.map(({ path }) => path)).size
  const what = files === 1 ? "a file" : `${files} files`
  return first.how === "write" ? `to write ${what} with` : `to change ${what} with`
}

const accessSources = {
  classify: "your policy says so",
  annotation: "the server says so, and you trust it to",
  name: "judged by its name",
  default: "nothing says it only reads",
} as const satisfies Record<ServerView["tools"][number]["accessFrom"], string>

/** Whether it can change things, and how that is known. */
export function accessWords(approval: ApprovalView, server: ServerView | null): string {
  const can = approval.access === "read" ? "Only reads" : "Can change things"
  const from = server?.tools.find(({ name }) => name === approval.tool.tool)?.accessFrom
  return from === undefined || approval.kind !== "tool" ? can : `${can}: ${accessSources[from]}`
}

/** What a server hints about its tool. Hints are the server's word and no more. */
export type Hint = { readonly words: string; readonly isWarning: boolean }

/** A waiting call's risks tell already that it may destroy things; nothing is said twice. */
export function hintsOf(approval: ApprovalView): readonly Hint[] {
  const isTold = approval.status === "pending" && approval.risks.some(({ kind }) => kind === "destructive-verb")
  const hints = approval.definition?.annotations ?? null
  if (hints === null) return []
  const says = (name: string, value: boolean): boolean => Object.hasOwn(hints, name) && hints[name] === value
  const all: ReadonlyArray<readonly [boolean, Hint]> = [
    [says("destructiveHint", true) && !isTold, { words: "it may destroy or overwrite things", isWarning: true }],
    [says("destructiveHint", false), { words: "it destroys nothing", isWarning: false }],
    [says("readOnlyHint", true), { words: "it only reads", isWarning: false }],
    [says("openWorldHint", true), { words: "it reaches systems outside", isWarning: true }],
  ]
  return all.filter(([isSaid]) => isSaid).map(([, hint]) => hint)
}

function assertNever(value: never): never {
  throw new Error(`No words for ${JSON.stringify(value)}.`)
}
