/**
 * How many requests one client on stdio has open at once, and how much they hold: as over HTTP.
 *
 * I1. Beyond its limits a request is refused, in words. Requests that wait for a person do not count: held calls have limits of their own.
 */
import { type BodyShare, createBodyBudget } from "@byleave/core"
import { errorCode, rpcError } from "../wire/errors.ts"
import type { RequestId, RpcError } from "../wire/message.ts"

export type StdioRequests = {
  /** `bytes`: of the line that it came in. Null: it is counted until it waits or ends. */
  readonly begin: (id: RequestId, bytes: number) => RpcError | null
  readonly waits: (id: RequestId) => void
  readonly end: (id: RequestId) => void
}

const usualRequests = 1_000
const client = "client"

export function createStdioRequests(most: number = usualRequests, bodies = createBodyBudget()): StdioRequests {
  const open = new Map<RequestId, BodyShare>()
  const end = (id: RequestId): void => {
    open.get(id)?.release()
    open.delete(id)
  }
  return {
    begin: (id, bytes) => {
      if (open.size >= most) return rpcError(errorCode.transport, tooMany(most))
      const share = bodies.share(client)
      const refused = share.grow(bytes)
      if (refused !== null) return rpcError(errorCode.transport, refused)
      open.set(id, share)
      return null
    },
    waits: end,
    end,
  }
}

function tooMany(most: number): string {
  return `This client has ${most} requests open, which is as many as it may. Nothing was done. Wait until one of them is answered, then try again.`
}
