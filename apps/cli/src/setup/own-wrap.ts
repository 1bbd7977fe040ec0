/**
 * Which entries of clients' files are behind this Byleave already.
 *
 * I1. Its program, data folder and service are this one's.
 * I2. In a project's file, which others write, it has no variable by which something else could run in Byleave's place, or Byleave be told something.
 */
import { isAbsolute } from "node:path"
import type { ClientServerKind } from "@byleave/formats/clients"
import { dataFolder } from "../files/data-place.ts"
import type { Io } from "../io.ts"
import { loadsCode } from "../wrap/code-variables.ts"
import { isHomeVariable } from "../wrap/home-variables.ts"
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

/**
 * The variable by which an entry may start something else in Byleave's place, lead it to another data folder, or tell it something; null: none.
 * `hasEnvFile`: further variables are in another file.
 */
export function steeringVariable(
  { env, hasEnvFile }: Pick<WrappedServer, "env" | "hasEnvFile">,
  data: string,
): string | null {
  if (hasEnvFile) return "envFile"
  const found = [...env].find(([name, value]) => !(name === "BYLEAVE_DATA" && value === data) && steers(name, value))
  return found?.[0] ?? null
}

/**
 * The wrapped server has the same environment, and no list can name the tokens and settings that servers need. So names pass, except for those by
 * which something goes on the way to Byleave: the search for its command and the shims of version managers, the loader, a shell, npm, Node, and Byleave
 * itself. The list of code-variables.ts has most; it is about what a server runs, and lacks what matters here alone.
 */
function steers(name: string, value: string): boolean {
  if (!plainName.test(name) || shellCode.test(value)) return true
  return !chosenByServers.test(name) && (loadsCode(name) || isHomeVariable(name) || onTheWay.test(name))
}

/** Functions of a shell, and variables that a shell reckons with, have other characters. */
const plainName = /^[a-z_]\w*$/i

/**
 * What a shell runs where it expands the value, as that of PS4, or takes it for a function. `bin/byleave` cannot undo it: bash as `sh` has taken options,
 * functions and PS4 from its environment before the first line, and `sh -p`, which leaves them out, is unknown to BusyBox.
 */
const shellCode = /\$\(|`|^\s*\(\)/

/** Names of the families below that servers are often given, and that nothing on the way to Byleave goes by. */
const chosenByServers =
  /^(?:NODE_(?:ENV|NO_WARNINGS|AUTH_TOKEN)|PYTHON(?:UNBUFFERED|IOENCODING|UTF8|DONTWRITEBYTECODE)|KUBECONFIG|DOCKER_HOST|JAVA_HOME|AWS_CONFIG_FILE|CLOUDSDK_CONFIG)$/

const onTheWay = new RegExp(
  `^(?:${[
    // Programs, and where and as whom they are started.
    ...["PATH", "PATHEXT", "PWD", "OLDPWD", "INIT_CWD", "TMPDIR", "TMP", "TEMP", "SYSTEMROOT", "WINDIR", "SYSTEMDRIVE"],
    ...["__COMPAT_LAYER", "PSMODULEPATH"],
    // Shells: what they expand, read or reckon with.
    ...["PS\\d", "GLOBIGNORE", "EXECIGNORE", "HISTFILE", "KSH_\\w+", "ARGV0", "_"],
    ...["SHLVL", "PPID", "OPTIND", "RANDOM", "SECONDS", "LINENO", "TMOUT", "LINES", "COLUMNS"],
    // Loaders, and data of the libraries that a program begins with.
    ...["LOCPATH", "NLSPATH", "GETCONF_DIR", "TZDIR", "MALLOC\\w*", "RESOLV_HOST_CONF", "LOCALDOMAIN", "ICU_\\w+"],
    // Of Node also what decides whom it trusts and by whom it connects: so it reaches the service.
    ...["NODE_\\w+", "npm_\\w+", "BYLEAVE_\\w+"],
  ].join("|")})$`,
  "i",
)
