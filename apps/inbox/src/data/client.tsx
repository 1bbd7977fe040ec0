import type { Client } from "@byleave/api"
import { createContext, type ReactNode, use } from "react"

const ClientContext = createContext<Client | null>(null)

type ClientProviderProps = { readonly client: Client; readonly children: ReactNode }

/** Everything below asks the service through this client, which signs with the browser's key. */
export function ClientProvider({ client, children }: ClientProviderProps): ReactNode {
  return <ClientContext value={client}>{children}</ClientContext>
}

export function useClient(): Client {
  const client = use(ClientContext)
  if (client === null) throw new Error("The API client is missing from the page context.")
  return client
}
