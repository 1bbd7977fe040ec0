import type { ServerConfig } from "@byleave/formats"
import type { GatewayServer } from "@byleave/gateway"
import type { InForce } from "../config/plan-change.ts"
import { childEnvironment } from "./child-environment.ts"

export type Surroundings = {
  readonly env: ReadonlyMap<string, string>
  readonly platform: string
  /** Where children start unless their configuration says otherwise. */
  readonly folder: string
}

/** The servers that may be reached now: those whose start somebody accepted. */
export function gatewayServers({ servers }: InForce, surroundings: Surroundings): readonly GatewayServer[] {
  return servers.flatMap(({ config }) => (config === null ? [] : [gatewayServer(config, surroundings)]))
}

function gatewayServer(config: ServerConfig, { env, platform, folder }: Surroundings): GatewayServer {
  const { id, transport, timeoutMs, toolList, refreshConnection } = config
  return {
    id,
    transport:
      transport.kind === "stdio"
        ? { ...transport, env: childEnvironment(transport.env, env, platform), cwd: transport.cwd ?? folder }
        : transport,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(toolList === undefined ? {} : { toolList }),
    ...(refreshConnection === undefined ? {} : { refreshConnection }),
  }
}
