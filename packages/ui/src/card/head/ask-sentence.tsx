import type { ApprovalView, FileChange, SessionView } from "@byleave/api"
import { folderName, tokenName } from "@byleave/api/page"
import type { ReactNode } from "react"
import { TheirName, TheirWords } from "../../parts/their-words.tsx"
import { capitalized } from "../../words/capitalized.ts"
import { askWords } from "./ask-words.ts"
import { runNouns } from "./run-nouns.ts"

export type AskSentenceProps = {
  readonly approval: ApprovalView
  readonly session: SessionView | null
  readonly changes: readonly FileChange[]
}

/** Who asks, through which program, where, for what: "laptop, through claude-code 1.0.0 in site, asks to write a file with". */
export function AskSentence({ approval, session, changes }: AskSentenceProps): ReactNode {
  const { before, after } = askWords(approval, changes)
  return (
    <>
      {before}
      <Who approval={approval} session={session} isFirst={before === ""} />
      {after}
    </>
  )
}

function Who({
  approval,
  session,
  isFirst,
}: Omit<AskSentenceProps, "changes"> & { readonly isFirst: boolean }): ReactNode {
  const { id } = approval.principal
  if (approval.run !== undefined) {
    return <RunName nouns={runNouns(approval)} title={session?.runTitle ?? null} isFirst={isFirst} />
  }
  const client = session?.client ?? null
  // Every wrap has the same credential: its client's own name says more.
  if (client !== null && id !== "anonymous" && tokenName(id) === null) {
    return (
      <>
        <strong>
          <TheirName text={client} />
        </strong>
        <Where session={session} />
      </>
    )
  }
  return (
    <>
      {id === "anonymous" ? (
        <strong>{isFirst ? "An anonymous agent" : "an anonymous agent"}</strong>
      ) : (
        <strong>
          <TheirName text={id} />
        </strong>
      )}
      {client === null ? (
        <Where session={session} />
      ) : (
        <>
          {isFirst ? ", through " : " through "}
          <strong>
            <TheirName text={client} />
          </strong>
          <Where session={session} />
          {isFirst && ","}
        </>
      )}
    </>
  )
}

type RunNameProps = {
  readonly nouns: ReturnType<typeof runNouns>
  readonly title: string | null
  readonly isFirst: boolean
}

/** Its task is somebody's words. */
function RunName({ nouns, title, isFirst }: RunNameProps): ReactNode {
  const { noun, aRun } = nouns
  if (title === null) return <strong>{isFirst ? capitalized(aRun) : aRun}</strong>
  return (
    <>
      {isFirst ? "The" : "the"} {noun}{" "}
      <strong>
        <TheirWords text={title} />
      </strong>
    </>
  )
}

/** The folder it works in, and what people call its session, each where it is known. */
function Where({ session }: { readonly session: SessionView | null }): ReactNode {
  const folder = folderName(session)
  const label = session?.label ?? null
  return (
    <>
      {folder !== null && (
        <>
          {" in "}
          <strong>
            <TheirName text={folder} />
          </strong>
        </>
      )}
      {label !== null && (
        <>
          {" (session "}
          <TheirWords text={label} />
          {")"}
        </>
      )}
    </>
  )
}
