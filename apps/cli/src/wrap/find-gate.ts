import { timingSafeEqual } from "node:crypto"
import { get } from "node:http"
import { get as getSafely } from "node:https"
import { newChallenge, proofOf, readChallengeSecret } from "../reach/challenge.ts"
import { originOf } from "../reach/origin-of.ts"
import { readServiceFile } from "../reach/service-file.ts"
import { readGateToken } from "../service/http/gate-token.ts"

/** Where the gate is, and the credential that opens it. */
export type GateAddress = { readonly url: string; readonly token: string }

const patienceMs = 5_000

/** The gate of a data folder's service; null when nobody answers there who can prove to be it. The credential is shown to nobody else. */
export async function findGate(data: string, url?: string): Promise<GateAddress | null> {
  const address = originOf(url ?? readServiceFile(data)?.url)
  const secret = readChallengeSecret(data)
  const token = readGateToken(data)
  if (address === undefined || secret === undefined || token === undefined) return null
  const challenge = newChallenge()
  const query = new URLSearchParams({ challenge, address })
  const given = Buffer.from((await ask(new URL(`/api/hello?${query}`, address))) ?? "")
  const expected = Buffer.from(proofOf(secret, challenge, address))
  return given.length === expected.length && timingSafeEqual(given, expected) ? { url: address, token } : null
}

/** The proof in the answer; null when there is none. */
function ask(url: URL): Promise<string | null> {
  return new Promise((resolve) => {
    const send = url.protocol === "https:" ? getSafely : get
    const outgoing = send(url, { signal: AbortSignal.timeout(patienceMs) }, (incoming) => {
      let text = ""
      incoming.setEncoding("utf8").on("data", (piece: string) => {
        text += piece
        if (text.length > 64 * 1024) incoming.destroy()
      })
      incoming.on("end", () => resolve(proofIn(text)))
      incoming.on("error", () => resolve(null))
      incoming.on("close", () => resolve(null))
    })
    outgoing.on("error", () => resolve(null))
  })
}

function proofIn(text: string): string | null {
  try {
    const { proof } = JSON.parse(text) as { readonly proof?: unknown }
    return typeof proof === "string" ? proof : null
  } catch {
    return null
  }
}
