import type { GrantView, ServerView } from "@byleave/api"
import { showText } from "@byleave/core"
import type { ReactNode } from "react"
import { Sentence } from "../../card/arguments/shown-value.tsx"
import { Button } from "../../parts/button.tsx"
import { Dialog } from "../../parts/dialog.tsx"
import { Mark } from "../../parts/mark.tsx"
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
  readonly onClose: () => void
  /** Why something could not be revoked, and where there is more to see. */
  readonly children?: ReactNode
}

/** Lists what runs unasked in a thread, server by server, each to be switched off. */
export function ThreadPermissions({ servers, grants, onClose, children, ...acts }: ThreadPermissionsProps): ReactNode {
  const known = new Set(servers.map(({ id }) => id))
  const others = grants.filter(({ breadth }) => breadth.kind === "pattern" && !known.has(breadth.server))
  return (
    <Dialog
      open
      onClose={onClose}
      title="What runs without asking"
      lead="In this thread. Everything else waits for your approval. Permissions for this thread end with it."
      actions={<Button onClick={onClose}>Done</Button>}
    >
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
  const byPolicy = server.tools.filter(({ effect }) => effect === "allow").map(({ name }) => name)
  return (
    <GrantRows title={server.id} grants={grants} readTools={readTools} {...acts}>
      {byPolicy.length > 0 && (
        <p className="aside">
          Your policy allows {byPolicy.length === 1 ? "1 tool" : `${byPolicy.length} tools`}:{" "}
          <ShownName text={byPolicy.slice(0, 12).join(", ")} />
          {byPolicy.length > 12 && " …"}
        </p>
      )}
      {byPolicy.length === 0 && grants.length === 0 && <p className="aside">Every call asks.</p>}
    </GrantRows>
  )
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
