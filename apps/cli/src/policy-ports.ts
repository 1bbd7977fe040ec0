import type { PolicyPorts } from "@byleave/core"
import type { Io } from "./io.ts"

/** The ports of judging, the same wherever a policy is compiled: what explains a decision must decide alike. */
export function policyPortsOf(io: Pick<Io, "platform" | "realPaths">): PolicyPorts {
  return {
    realPaths: io.realPaths,
    caseInsensitivePaths: io.platform === "darwin" || io.platform === "win32",
  }
}
