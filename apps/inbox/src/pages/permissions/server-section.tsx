import type { GrantView } from "@byleave/api"
import { Button, Menu, type MenuItem, Sheet, ShownText } from "@byleave/ui"
import { ChevronDown } from "lucide-react"
import type { ReactNode } from "react"
import { GrantRow } from "./grant-row.tsx"
import type { ServerPermissions } from "./permissions-by-server.ts"
import { RuleRow } from "./rule-row.tsx"
import look from "./server-section.module.css"

export type ServerSectionProps = {
  readonly group: ServerPermissions
  readonly sessionName: (grant: GrantView) => string | null
  readonly onChange: (grant: GrantView) => void
  readonly onForget: (grant: GrantView) => void
  /** Absent for what is about several servers. */
  readonly onWhole?: (effect: "allow" | "deny") => void
  readonly onClear?: () => void
}

/** All that is remembered and written of one server. */
export function ServerSection(props: ServerSectionProps): ReactNode {
  const { group, sessionName, onChange, onForget } = props
  const isBare = group.grants.length + group.rules.length === 0
  const title = group.server === null ? "Several servers" : <ShownText text={group.server} />
  return (
    <Sheet
      title={title}
      label={group.server ?? "Several servers"}
      {...(group.server === null ? {} : { actions: <WholeMenu {...props} server={group.server} /> })}
    >
      {isBare && <p className={look.bare}>Nothing is remembered or written of it: the default holds.</p>}
      {group.grants.length > 0 && (
        <section>
          <h3 className={look.head}>Remembered</h3>
          <ul>
            {group.grants.map((grant) => (
              <GrantRow
                key={grant.id}
                grant={grant}
                session={sessionName(grant)}
                onChange={onChange}
                onForget={onForget}
              />
            ))}
          </ul>
        </section>
      )}
      {group.rules.length > 0 && (
        <section>
          <h3 className={look.head}>Written rules</h3>
          <ul>
            {group.rules.map((rule) => (
              <RuleRow key={rule.id} rule={rule} />
            ))}
          </ul>
        </section>
      )}
    </Sheet>
  )
}

function WholeMenu({ server, group, onWhole, onClear }: ServerSectionProps & { readonly server: string }): ReactNode {
  const clear: MenuItem = {
    label: "Forget all that is remembered of it…",
    words: "Rules stay as they are.",
    disabled: group.grants.length === 0,
    onChoose: () => onClear?.(),
  }
  const items: readonly MenuItem[] = [
    { label: "Allow everything of it…", words: "Nobody is asked any more.", onChoose: () => onWhole?.("allow") },
    { label: "Deny everything of it…", words: "Every call is refused.", tone: "no", onChoose: () => onWhole?.("deny") },
    clear,
  ]
  const trigger = (
    <Button size="small" tone="quiet" icon={<ChevronDown />}>
      All of this server
    </Button>
  )
  return <Menu label={`All of ${server}`} trigger={trigger} items={items} />
}
