import { createRedactor } from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import { type Credentials, createCredentials } from "@byleave/server"
import { pinHash } from "../files/pin-hash.ts"
import { openStore } from "../service/open-store.ts"

/** Access rights, straight from the store: for the owner of the data folder, before or beside a service. */
export async function openCredentials(
  data: string,
  store: string,
  presence: "pin" | "none",
  now: () => number,
): Promise<{ readonly credentials: Credentials; readonly close: () => Promise<void> }> {
  const opened = await openStore(data, store, now, false)
  const ports = { store: opened.store, now, hasher: nodeHasher, redactor: createRedactor(), pinHash }
  const credentials = createCredentials({ ...ports, presence: () => presence })
  return {
    credentials,
    close: async () => {
      await credentials.close()
      await opened.store.close()
    },
  }
}
