import { isAbsolute } from "node:path"
import type { ClientServerKind } from "@byleave/formats/clients"
import { dataFolder } from "../files/data-place.ts"
import type { Io } from "../io.ts"
import { isOwnProgram } from "./setup-program.ts"

/** A server that a client starts behind a program called Byleave. */
export type WrappedServer = Extract<ClientServerKind, { readonly kind: "wrapped" }>

type Here = {
  readonly io: Pick<Io, "env" | "home" | "platform" | "cwd">
  readonly data: string
  /** The service's origin. */
  readonly url: string
}

/** Why a wrapped server is not behind this Byleave, as a sentence; null: it is. Its program, data folder and service must all be this one's. */
export function whyNotOwn({ wrap, env }: WrappedServer, { io, data, url }: Here): string | null {
  if (!isOwnProgram(wrap.program, io)) return `it starts ${wrap.program}, which is not this Byleave.`
  const written = wrap.data ?? env.get("BYLEAVE_DATA")
  const folder = dataFolder(written, { ...io, env: new Map([...io.env, ...env]) })
  // A relative folder is one of the project's, or whichever the client happens to work in.
  if (folder !== data || (written !== undefined && !isAbsolute(written))) {
    return `it uses the data folder ${written ?? folder}, which is not this Byleave's.`
  }
  const isService = wrap.url === null || (URL.canParse(wrap.url) && new URL(wrap.url).origin === url)
  return isService ? null : `it uses the service at ${wrap.url}, which is not this Byleave's.`
}

/** Whether an entry of a client's file changes which program runs as Byleave, what it loads, or which data folder and session settings it has. */
export function steersByleave(name: string): boolean {
  return steering.test(name)
}

const steering =
  /^(?:envFile|PATH|PATHEXT|HOME|USERPROFILE|LOCALAPPDATA|XDG_DATA_HOME|NODE_(?:OPTIONS|PATH|COMPILE_CACHE|REPL_EXTERNAL_MODULE)|(?:BYLEAVE|LD|DYLD|BASH|OPENSSL)_.*)$/i
