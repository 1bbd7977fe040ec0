import type { ServerView } from "@byleave/api"
import { Choice, Notice } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"

export const allServers = ""

type AddressFieldsProps = {
  readonly servers: readonly ServerView[] | null
  readonly server: string
  readonly onServer: (server: string) => void
}

/** Which of the service's servers the client gets. `servers` is null while they are not known. */
export function AddressFields({ servers, server, onServer }: AddressFieldsProps): ReactNode {
  if (servers?.length === 0) {
    return (
      <Notice tone="know" title="No servers are configured">
        Add them under “servers” in byleave.yaml, for example on the <Link to="/policy">Policy</Link> page. Or wrap a
        server that your client starts.
      </Notice>
    )
  }
  return (
    <Choice
      label="Servers"
      hint={server === allServers ? "Tools are named server__tool." : "Tools keep their own names."}
      value={server}
      options={[
        { value: allServers, label: allWords(servers ?? []) },
        ...(servers ?? []).map(({ id }) => ({ value: id, label: `Only ${id}` })),
      ]}
      onChange={(event) => onServer(event.currentTarget.value)}
    />
  )
}

const mostNamed = 4

function allWords(servers: readonly ServerView[]): string {
  if (servers.length === 0) return "All servers"
  const named = servers.slice(0, mostNamed).map(({ id }) => id)
  const rest = servers.length - named.length
  return `All servers (${named.join(", ")}${rest > 0 ? ` and ${rest} more` : ""})`
}
