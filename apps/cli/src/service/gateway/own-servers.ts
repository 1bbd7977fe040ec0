/**
 * The names of servers that are the service's own: those of its configuration, and those of `byleave wrap`.
 *
 * I1. Nothing that another credential told under the name of a configured server is there when that server is first heard, or first told of.
 */
import type { CallerGate } from "@byleave/core"
import { newId } from "@byleave/core/node"
import { type Credentials, createServerOwners, type ServerOwners, theService } from "@byleave/server"
import { keepGateToken } from "../http/gate-token.ts"
import type { ServiceBase } from "../service-base.ts"

/** The credential of `byleave wrap` is there from here on. */
export async function openOwners(
  { data, opened: { store }, io, atEnd }: ServiceBase,
  credentials: Credentials,
): Promise<ServerOwners> {
  const token = await keepGateToken(data, credentials, newId)
  const { addedAt } = credentials.identify
  const time = () => store.now(io.now())
  const owners = createServerOwners({
    store,
    time,
    addedAt,
    wraps: { token, addedAt: (await addedAt(token)) ?? time() },
  })
  atEnd(owners.stop)
  return owners
}

/** The gate as the gateway has it. */
export function owningServers<Gate extends CallerGate>(gate: Gate, owners: ServerOwners): Gate {
  const own = async (server: string): Promise<void> => {
    if (owners.known(server) !== theService) await owners.claim(server, theService)
  }
  return {
    ...gate,
    seeTools: async (server, ...told) => {
      await own(server)
      return gate.seeTools(server, ...told)
    },
    seeInstructions: async (server, ...told) => {
      await own(server)
      return gate.seeInstructions(server, ...told)
    },
    offeredTools: async (server, tools) => {
      await own(server)
      return gate.offeredTools(server, tools)
    },
  }
}
