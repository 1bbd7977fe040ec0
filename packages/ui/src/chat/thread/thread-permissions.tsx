import type { GrantView, ServerView } from "@byleave/api"
import { showText } from "@byleave/core"
import type { ReactNode } from "react"
import { Sentence } from "../../card/arguments/shown-value.tsx"
import { Button } from "../../parts/button.tsx"
import { Dialog } from "../../parts/dialog.tsx"
import { Mark } from "../../parts/mark.tsx"
import { Notice } from "../../parts/page.tsx"
import { ShownName } from "../../parts/shown-text.tsx"
import { permissionLevel } from "./permission-level.ts"
import look from "./thread-permissions.module.css"

type ThreadPermissionsProps = {
  /** Those that the thread uses. */
  readonly servers: readonly Pick<ServerView, "id" | "tools">[]
  /** Permissions that calls of the thread run by: of the thread, of the chat, and for everybody. */
  readonly grants: readonly GrantView[]
  /** The one that is being revoked. */
  readonly revoking: string | null
  readonly onRevoke: (grant: GrantView) => void
  /** What a mode other than asking makes of calls that no rule speaks of, such as "runs without approval"; null: they ask. */
  readonly mode?: string | null
  readonly onClose: () => void
  /** Why something could not be revoked, and where there is more to see. */
  readonly children?: ReactNode
}

/** Lists what runs unasked in a thread, server by server, each to be switched off. */
export function ThreadPermissions(props: ThreadPermissionsProps): ReactNode {
  const { servers, grants, mode = null, onClose, children, ...acts } = props
  const known = new Set(servers.map(({ id }) => id))
  const others = grants.filter(({ breadth }) => breadth.kind === "pattern" && !known.has(breadth.server))
  return (
    <Dialog
      open
      onClose={onClose}
      title="What runs without asking"
      lead={
        mode === null
          ? "In this thread. Everything else waits for your approval. Permissions for this thread end with it."
          : "In this thread. Permissions for this thread end with it."
      }
      actions={<Button onClick={onClose}>Done</Button>}
    >
      {mode !== null && <Notice tone="wait">This thread {mode}.</Notice>}
      {servers.map((server) => (
        <ServerPermissions
          key={server.id}
          server={server}
          grants={grants.filter(({ breadth }) => breadth.server === server.id)}
          {...acts}
        />
      ))}
      {others.length > 0 && <GrantRows title="Several servers" grants={others} readTools={[]} {...acts} />}
      {children}
    </Dialog>
  )
}

type Acts = Pick<ThreadPermissionsProps, "revoking" | "onRevoke">

type ServerPermissionsProps = Acts & {
  readonly server: ThreadPermissionsProps["servers"][number]
  readonly grants: readonly GrantView[]
}

function ServerPermissions({ server, grants, ...acts }: ServerPermissionsProps): ReactNode {
  const readTools = server.tools.filter(({ access }) => access === "read").map(({ name }) => name)
  const asksAlways = grants.length === 0 && !server.tools.some(isAllowed)
  return (
    <GrantRows title={server.id} grants={grants} readTools={readTools} {...acts}>
      <AllowedByPolicy server={server} />
      {asksAlways && <p className="aside">Every call asks.</p>}
    </GrantRows>
  )
}

/** Names the tools of a server that run by the policy; nothing where there are none. */
export function AllowedByPolicy({ server }: Pick<ServerPermissionsProps, "server">): ReactNode {
  const names = server.tools.filter(isAllowed).map(({ name }) => name)
  if (names.length === 0) return null
  return (
    <p className="aside">
      Your policy allows {names.length === 1 ? "1 tool" : `${names.length} tools`}:{" "}
      <ShownName text={names.slice(0, mostNamed).join(", ")} />
      {names.length > mostNamed && " …"}
    </p>
  )
}

const mostNamed = 12

function isAllowed({ effect }: ServerView["tools"][number]): boolean {
  return effect === "allow"
}

type GrantRowsProps = Acts & {
  readonly title: string
  readonly grants: readonly GrantView[]
  readonly readTools: readonly string[]
  readonly children?: ReactNode
}

function GrantRows({ title, grants, readTools, revoking, onRevoke, children }: GrantRowsProps): ReactNode {
  return (
    <section className={look.server} aria-label={showText(title)}>
      <h3>
        <ShownName text={title} />
      </h3>
      {grants.length > 0 && (
        <ul className={look.grants}>
          {grants.map((grant) => (
            <li key={grant.id}>
              <Mark tone="know">{permissionLevel(grant, readTools)}</Mark>
              <span className={look.words}>
                <Sentence text={grant.words} />
              </span>
              <Button
                size="small"
                busy={revoking === grant.id && "Revoking…"}
                aria-label={`Revoke: ${showText(grant.words)}`}
                onClick={() => onRevoke(grant)}
              >
                Revoke
              </Button>
            </li>
          ))}
        </ul>
      )}
      {children}
    </section>
  )
}
