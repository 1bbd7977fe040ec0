import type { JsonObject } from "@byleave/core"
import { type ReactNode, useState } from "react"
import { Button } from "../../parts/button.tsx"
import { Section } from "../section.tsx"
import type { ArgNode } from "./arg-tree.ts"
import { ArgumentTable } from "./argument-rows.tsx"
import look from "./arguments.module.css"
import { countOf } from "./cut-text.ts"
import { ExactJson } from "./exact-json.tsx"
import type { Secrets } from "./secrets.ts"

export type ArgumentsProps = {
  /** Null once retention has removed them. */
  readonly args: JsonObject | null
  readonly tree: readonly ArgNode[]
  readonly secrets: Secrets
  /** Pointers of texts that the card shows in full elsewhere. */
  readonly elsewhere: ReadonlySet<string>
}

/** All of a call's arguments, to read and exactly. */
export function Arguments({ args, tree, secrets, elsewhere }: ArgumentsProps): ReactNode {
  const [isExact, setExact] = useState(false)
  if (args === null)
    return (
      <Section title="Arguments">
        <p className="soft">No longer stored.</p>
      </Section>
    )
  if (tree.length === 0)
    return (
      <Section title="Arguments">
        <p className="soft">No arguments.</p>
      </Section>
    )
  return (
    <Section title="Arguments" aside={<Tabs isExact={isExact} onChange={setExact} />}>
      {secrets.hidden.size > 1 && (
        <div>
          <Button size="small" onClick={() => secrets.reveal([...secrets.hidden])}>
            Reveal all {countOf(secrets.hidden.size, "hidden value")}
          </Button>
        </div>
      )}
      {isExact ? (
        <ExactJson value={args} secrets={secrets} label="Arguments as exact JSON" />
      ) : (
        <ArgumentTable tree={tree} showing={{ secrets, elsewhere }} />
      )}
    </Section>
  )
}

type TabsProps = { readonly isExact: boolean; readonly onChange: (isExact: boolean) => void }

function Tabs({ isExact, onChange }: TabsProps): ReactNode {
  return (
    <fieldset className={look.tabs} aria-label="Argument view">
      <button type="button" className={look.tab} aria-pressed={!isExact} onClick={() => onChange(false)}>
        Table
      </button>
      <button type="button" className={look.tab} aria-pressed={isExact} onClick={() => onChange(true)}>
        Exact JSON
      </button>
    </fieldset>
  )
}
