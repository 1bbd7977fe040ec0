import { newId } from "@byleave/core/node"
import type { Credentials } from "@byleave/server"
import { removeServiceFile, writeServiceFile } from "../reach/service-file.ts"
import { keepGateToken } from "./http/gate-token.ts"
import type { Listening } from "./http/listen.ts"
import type { ServiceBase } from "./service-base.ts"

/** From here on others can find this service. */
export async function announce(base: ServiceBase, credentials: Credentials, { url }: Listening): Promise<void> {
  await keepGateToken(base.data, credentials, newId)
  writeServiceFile(base.data, {
    version: 1,
    url: reachable(url),
    pid: process.pid,
    started: base.io.now(),
    config: base.file,
    ...(base.background ? { background: true } : {}),
  })
  base.atEnd(() => removeServiceFile(base.data, process.pid))
}

/** Where commands on this machine reach it: an address that stands for all of them is no place to go to. */
function reachable(url: string): string {
  return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")
}
