import { createRedactor } from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import { type Credentials, createCredentials } from "@byleave/server"
import { pinHash } from "../files/pin-hash.ts"
import { findAccepted } from "../service/config/accepted-config.ts"
import { openStore } from "../service/open-store.ts"

/**
 * Access rights, straight from the store: for the owner of the data folder, before or beside a service.
 *
 * I1. A reviewer without a PIN chooses the first one only while none is required: where one is, whoever works under the same user could choose it for them.
 */
export async function openCredentials(
  data: string,
  store: string,
  now: () => number,
): Promise<{ readonly credentials: Credentials; readonly close: () => Promise<void> }> {
  const opened = await openStore(data, store, now, false)
  const ports = { store: opened.store, now, hasher: nodeHasher, redactor: createRedactor(), pinHash }
  // Before any service has run, no PIN has been required.
  const presence = (await findAccepted(opened.documents))?.accepted.settings.presence ?? "none"
  const credentials = createCredentials({ ...ports, presence: () => presence })
  return {
    credentials,
    close: async () => {
      await credentials.close()
      await opened.store.close()
    },
  }
}
