import { removeServiceFile, writeServiceFile } from "../reach/service-file.ts"
import type { Listening } from "./http/listen.ts"
import type { ServiceBase } from "./service-base.ts"

/** From here on others can find this service. */
export function announce(base: ServiceBase, { url }: Listening): void {
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
