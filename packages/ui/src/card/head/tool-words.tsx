import type { ApprovalView } from "@byleave/api"
import { shownName } from "@byleave/core"
import type { ReactNode } from "react"
import { Quoted } from "../../parts/quoted.tsx"
import { SentPicture } from "../../parts/sent-picture.tsx"
import { LongText } from "../arguments/shown-value.tsx"
import { Section } from "../section.tsx"
import look from "./tool-words.module.css"

/** The server's description of its tool, marked as the server's words. */
export function ToolWords({ approval }: { readonly approval: ApprovalView }): ReactNode {
  const { definition, tool } = approval
  if (definition === null || (definition.title === null && definition.description === null)) {
    return (
      <Section title="About">
        <p className="soft">No description from the server.</p>
      </Section>
    )
  }
  return (
    <Section title="About">
      <Quoted by={`According to ${shownName(tool.server)}, not verified`}>
        <span className={look.words}>
          {definition.title !== null && (
            <span className={look.title}>
              {definition.icon !== null && <SentPicture data={definition.icon} />}
              <LongText text={definition.title} most={200} mostLines={2} />
            </span>
          )}
          {definition.description !== null && <LongText text={definition.description} most={900} mostLines={12} />}
        </span>
      </Quoted>
    </Section>
  )
}
