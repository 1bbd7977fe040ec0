import type { JsonValue } from "@byleave/core"
import { expandEnvironment, withoutReferences } from "../read/environment.ts"
import type { ClientProgram } from "./client-programs.ts"
import type { ClientServerKind, HeaderTexts } from "./client-servers.ts"

/** An entry of `servers` in byleave.yaml, or a sentence that says why there can be none. */
export type MovedServer =
  | {
      readonly ok: true
      readonly entry: { readonly [key: string]: JsonValue }
      /** Variables of the environment that its address and headers take where they are set. */
      readonly takes: readonly string[]
      /** Those of them that it cannot do without. */
      readonly needs: readonly string[]
    }
  | { readonly ok: false; readonly why: string }

/** A server that a client reaches by its address, as an entry of byleave.yaml. Headers keep their references to variables. */
export function movedServer(
  reached: Extract<ClientServerKind, { kind: "address" }>,
  client: ClientProgram,
): MovedServer {
  const url = ownText(reached.url, client)
  if (url === null || !/^https?:\/\/[^/?#\s\\@]+([/?#][^\s\\]*)?$/i.test(url)) {
    return { ok: false, why: "Byleave cannot read its address. Add it to byleave.yaml by hand." }
  }
  const headers = ownHeaders(reached.headers, client)
  if (headers === null)
    return { ok: false, why: "a header of it is asked for or kept by the client. Add it to byleave.yaml by hand." }
  const texts = [url, ...headers.map(([, value]) => value)]
  return {
    ok: true,
    entry: {
      url,
      ...(reached.sse ? { type: "sse" } : {}),
      ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
    },
    takes: namesOf(texts.flatMap((text) => expandEnvironment(text, () => "").filled.map(({ name }) => name))),
    needs: namesOf(texts.flatMap((text) => expandEnvironment(text, () => undefined).missing)),
  }
}

function ownHeaders(headers: HeaderTexts, client: ClientProgram): ReadonlyArray<readonly [string, string]> | null {
  if (headers === null) return null
  const written = [...headers.written].map(([name, value]) => [name, ownText(value, client)] as const)
  const filled = [...headers.fromVariables].map(([name, variable]): readonly [string, string] => {
    const [header = name, scheme] = name.split(": ")
    return [header, `${scheme === undefined ? "" : `${scheme} `}\${${variable}}`]
  })
  const known = written.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
  return known.length < written.length ? null : [...known, ...filled]
}

/** A text with the client's references as Byleave writes them; null where it holds one that Byleave has no word for. */
function ownText(written: string, { reference }: ClientProgram): string | null {
  if (reference === null)
    return /\$\{(input|env|workspace|user|command|config)\b/.test(written) ? null : withoutReferences(written)
  if (reference("").startsWith("{")) {
    if (written.includes("{file:")) return null
    return withoutReferences(written).replaceAll(/\{env:([A-Za-z_]\w*)\}/g, (_, name: string) => `\${${name}}`)
  }
  const plain = written.replaceAll(/\$([A-Za-z_]\w*)/g, (_, name: string) => `\${${name}}`)
  return /\$\{(?!(?:env:)?[A-Za-z_]\w*(?::-[^}]*)?\})/.test(plain) ? null : plain
}

function namesOf(names: readonly string[]): readonly string[] {
  return [...new Set(names)]
}
