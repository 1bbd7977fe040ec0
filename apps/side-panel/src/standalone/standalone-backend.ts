import type { PanelBackend } from "../panel/panel-client.ts"
import { followHealth } from "../settings/server-health.ts"
import type { Engine } from "./engine.ts"
import { createLocalClient } from "./local-client.ts"
import { manageServers } from "./manage-servers.ts"

export function standaloneBackend(engine: Engine): PanelBackend {
  return {
    kind: "standalone",
    client: createLocalClient(engine),
    servers: manageServers(engine),
    follow: (listener) => {
      const stops = [
        engine.gate.events(({ type, subject }) => listener({ type, subject })),
        followHealth(() => listener({ type: "server.changed", subject: "" })),
      ]
      return () => {
        for (const stop of stops) stop()
      }
    },
    connection: { isConnected: () => true, follow: () => () => undefined },
  }
}
