import { join } from "node:path"
import type { Credentials } from "@byleave/server"
import { readIfThere, writePrivate } from "../../files/private-file.ts"

const pathOf = (data: string) => join(data, "gate-token")

/** The credential by which `wrap` submits calls; undefined until a service has run here. */
export function readGateToken(data: string): string | undefined {
  return readIfThere(pathOf(data))?.trim()
}

/** Makes it at the first start, and anew when it was revoked. The store knows its hash alone. Gives its name. */
export async function keepGateToken(data: string, credentials: Credentials, newId: () => string): Promise<string> {
  const kept = readGateToken(data)
  const known = kept === undefined ? null : await credentials.identify.gate(`Bearer ${kept}`)
  if (known !== null) return known.token
  for (const id of ["wrap", `wrap-${newId().slice(-12)}`]) {
    const made = await credentials.addToken({ id, kind: "gate", namesSessions: true }, null)
    if (!("secret" in made)) continue
    writePrivate(pathOf(data), `${made.secret}\n`)
    return id
  }
  throw new Error("The credential for `byleave wrap` could not be created. Revoke unused tokens and start again.")
}
