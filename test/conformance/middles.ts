import { startByteProxy } from "./byte-proxy.ts"
import { startGateway } from "./gateway-middle.ts"
import type { Middle } from "./pairings.ts"

const middles = new Map<string, Middle>([
  ["nothing", async (url) => ({ url, close: async () => {} })],
  ["bytes", startByteProxy],
  ["gateway", startGateway],
])

/** What can stand between a client and a server here, by name. */
export function middleNamed(name: string): Middle {
  const middle = middles.get(name)
  if (middle === undefined) throw new Error(`Nothing is called ${name} here: ${[...middles.keys()].join(", ")}`)
  return middle
}
