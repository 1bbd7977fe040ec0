import type { ServerMove } from "./plan-setup.ts"

const probeMs = 5_000
const wantsSignIn = "it wants a sign-in that only the client can do. Give Byleave a token for it in byleave.yaml."

/** Asks each server once, without credentials from variables, whether it takes anyone in. Returns why some cannot be moved, by address. */
export async function probeServers(moves: readonly ServerMove[]): Promise<ReadonlyMap<string, string>> {
  const asked = await Promise.all(
    moves.map(async (move) => ({ url: move.url, isRefused: (await statusOf(move)) === "refused" })),
  )
  return new Map(asked.filter(({ isRefused }) => isRefused).map(({ url }) => [url, wantsSignIn]))
}

const hello = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "byleave", version: "1" } },
}

async function statusOf({ url, entry }: ServerMove): Promise<"refused" | "unknown"> {
  const headers = entry.headers as Readonly<Record<string, string>> | undefined
  // With headers of its own the server is as it was for the client; only those without any can want a sign-in.
  if (headers !== undefined && Object.keys(headers).length > 0) return "unknown"
  const isSse = entry.type === "sse"
  try {
    const reply = await fetch(url, {
      method: isSse ? "GET" : "POST",
      headers: { accept: "application/json, text/event-stream", "content-type": "application/json" },
      ...(isSse ? {} : { body: JSON.stringify(hello) }),
      signal: AbortSignal.timeout(probeMs),
    })
    await reply.body?.cancel()
    return reply.status === 401 || reply.status === 403 ? "refused" : "unknown"
  } catch {
    // It cannot be reached now; that says nothing about credentials.
    return "unknown"
  }
}
