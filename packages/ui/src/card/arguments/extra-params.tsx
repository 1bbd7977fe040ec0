import { unambiguousJson } from "@byleave/core"
import type { ReactNode } from "react"
import { ShownName } from "../../parts/shown-text.tsx"
import { Section } from "../section.tsx"
import type { ArgNode } from "./arg-tree.ts"
import { ArgumentTable } from "./argument-rows.tsx"
import type { Secrets } from "./secrets.ts"

type ExtraParamsProps = {
  readonly tree: readonly ArgNode[]
  readonly dropped: readonly string[]
  readonly secrets: Secrets
}

/** Shows what the server is sent besides the arguments, and what it is not sent. Nothing is said where a call is its arguments alone. */
export function ExtraParams({ tree, dropped, secrets }: ExtraParamsProps): ReactNode {
  if (tree.length === 0 && dropped.length === 0) return null
  return (
    <Section title="Also sent">
      {tree.length > 0 && <ArgumentTable tree={tree} showing={{ secrets, elsewhere: nowhere }} />}
      <ExtraNotes tree={tree} dropped={dropped} />
    </Section>
  )
}

export function ExtraNotes({ tree, dropped }: Omit<ExtraParamsProps, "secrets">): ReactNode {
  return (
    <>
      {tree.some(({ name }) => name === "requestState") && (
        <p className="soft">
          This call continues a question that the server asked: requestState is the server&rsquo;s own note of it.
        </p>
      )}
      {dropped.length > 0 && (
        <p className="soft">
          The agent also sent <ShownName text={dropped.map(unambiguousJson).join(", ")} />, which is not part of MCP.
          The server does not receive {dropped.length === 1 ? "it" : "them"}.
        </p>
      )}
    </>
  )
}

const nowhere: ReadonlySet<string> = new Set()
