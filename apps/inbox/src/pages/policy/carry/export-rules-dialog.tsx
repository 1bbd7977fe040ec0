import type { RuleLanguageView } from "@byleave/api"
import { Choice, CopyButton, Dialog, ShownText } from "@byleave/ui"
import { type ReactNode, useState } from "react"
import { useRead } from "../../../data/use-read.ts"
import { Reading } from "../../places/reading.tsx"
import look from "./carry-rules.module.css"
import { LossList } from "./loss-list.tsx"

/** The rules in effect, as another program writes them. */
export function ExportRulesDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const languages = useRead("listRuleLanguages")
  return (
    <Dialog
      open={true}
      onClose={onClose}
      title="Export rules"
      lead="The rules in effect, for another program. It allows nothing that Byleave would not allow."
    >
      <Reading of={languages} label="Loading formats" lines={3}>
        {({ items }) => <Exported languages={items} />}
      </Reading>
    </Dialog>
  )
}

function Exported({ languages }: { readonly languages: readonly RuleLanguageView[] }): ReactNode {
  const [id, setId] = useState("claude-code")
  const exported = useRead("exportRules", { params: { id } })
  return (
    <div className={look.report}>
      <Choice
        label="Program"
        options={languages.map(({ id: value, name }) => ({ value, label: name }))}
        value={id}
        hint={languages.find((language) => language.id === id)?.file}
        onChange={(event) => setId(event.currentTarget.value)}
      />
      <Reading of={exported} label="Loading rules" lines={6}>
        {({ text, losses }) => (
          <>
            <div className={look.bar}>
              <h3 className={look.title}>Rules</h3>
              {text !== "" && <CopyButton text={text} what="rules" />}
            </div>
            {text === "" ? (
              <p className="soft">There is nothing to say in this format.</p>
            ) : (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keys
              <section className={look.exported} tabIndex={0} aria-label="Exported rules">
                <pre>
                  <ShownText text={text} />
                </pre>
              </section>
            )}
            <LossList losses={losses} />
          </>
        )}
      </Reading>
    </div>
  )
}
