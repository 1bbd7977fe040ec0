import type { GrantView } from "@byleave/api"
import { Button, Menu, type MenuItem, Sheet, ShownText } from "@byleave/ui"
import { ChevronDown } from "lucide-react"
import type { ReactNode } from "react"
import { FirstOf } from "../../places/first-of.tsx"
import { GrantRow } from "../grants/grant-row.tsx"
import { RuleRow } from "../rule-row.tsx"
import type { ServerPermissions } from "./permissions-by-server.ts"
import look from "./server-section.module.css"

type ServerSectionProps = {
  readonly group: ServerPermissions
  readonly sessionName: (grant: GrantView) => string | null
  readonly onChange: (grant: GrantView) => void
  readonly onForget: (grant: GrantView) => void
  /** It stands behind the gate now, so all of it can be allowed or denied. */
  readonly isServed: boolean
  readonly onWhole: (server: string, effect: "allow" | "deny") => void
  readonly onClear: (server: string) => void
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
      {isBare && <p className={look.bare}>No permissions or rules. The default applies.</p>}
      {group.grants.length > 0 && (
        <section>
          <h3 className={look.head}>Permissions</h3>
          <ul>
            <FirstOf items={group.grants} keyOf={({ id }) => id}>
              {(grant) => (
                <GrantRow grant={grant} session={sessionName(grant)} onChange={onChange} onForget={onForget} />
              )}
            </FirstOf>
          </ul>
        </section>
      )}
      {group.rules.length > 0 && (
        <section>
          <h3 className={look.head}>Rules</h3>
          <ul>
            <FirstOf items={group.rules} keyOf={({ id }) => id}>
              {(rule) => <RuleRow rule={rule} />}
            </FirstOf>
          </ul>
        </section>
      )}
    </Sheet>
  )
}

function WholeMenu(props: OfServer): ReactNode {
  const items = [...wholeItems(props), ...clearItems(props)]
  if (items.length === 0) return null
  const trigger = (
    <Button size="small" tone="quiet" icon={<ChevronDown />}>
      Server actions
    </Button>
  )
  return <Menu label={`Actions for ${props.server}`} trigger={trigger} items={items} />
}

type OfServer = ServerSectionProps & { readonly server: string }

function wholeItems({ server, isServed, onWhole }: OfServer): readonly MenuItem[] {
  if (!isServed) return []
  const allow = () => onWhole(server, "allow")
  const deny = () => onWhole(server, "deny")
  return [
    { label: "Allow all tools…", words: "Calls run without approval.", onChoose: allow },
    { label: "Deny all tools…", words: "Every call is denied.", tone: "no", onChoose: deny },
  ]
}

function clearItems({ server, group, onClear }: OfServer): readonly MenuItem[] {
  if (group.grants.length === 0) return []
  const clear = () => onClear(server)
  return [{ label: "Revoke all permissions…", words: "Rules do not change.", onChoose: clear }]
}
