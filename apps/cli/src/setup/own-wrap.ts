/**
 * Which entries of clients' files are behind this Byleave already.
 *
 * I1. Its program, data folder and service are this one's.
 * I2. In a project's file, which others write, it has no variable by which something else could run in Byleave's place, or Byleave be told something.
 */
import { isAbsolute } from "node:path"
import { shownName } from "@byleave/core"
import type { ClientServerKind } from "@byleave/formats/clients"
import { dataFolder } from "../files/data-place.ts"
import type { Io } from "../io.ts"
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
  if (!isOwnProgram(wrap.program, io)) return `it starts ${shownName(wrap.program)}, which is not this Byleave.`
  const written = wrap.data ?? env.get("BYLEAVE_DATA")
  const folder = dataFolder(written, { ...io, env: new Map([...io.env, ...env]) })
  // A relative folder is one of the project's, or whichever the client happens to work in.
  if (folder !== data || (written !== undefined && !isAbsolute(written))) {
    return `it uses the data folder ${shownName(written ?? folder)}, which is not this Byleave's.`
  }
  const isService = wrap.url === null || (URL.canParse(wrap.url) && new URL(wrap.url).origin === url)
  return isService ? null : `it uses the service at ${shownName(wrap.url ?? "")}, which is not this Byleave's.`
}

/**
 * The variable, as a part of a sentence, by which an entry may start something else in Byleave's place, lead it to another data folder, or tell it something, and how; null: none.
 * `hasEnvFile`: further variables are in another file.
 */
export function steeringVariable(
  { env, hasEnvFile }: Pick<WrappedServer, "env" | "hasEnvFile">,
  data: string,
): string | null {
  if (hasEnvFile) return "envFile"
  for (const [name, value] of env) {
    if (name === "BYLEAVE_DATA" && value === data) continue
    if (!plainName.test(name) || isHomeVariable(name) || onTheWay.test(name)) return shownName(name)
    if (shellCode.test(value)) return `${name} with code of a shell in its value`
  }
  return null
}

/** Functions of a shell, and variables that a shell reckons with, have other characters. */
const plainName = /^[a-z_]\w*$/i

/**
 * What a shell runs where it expands the value, as that of PS4, or takes it for a function. `bin/byleave` cannot undo it: bash as `sh` has taken options,
 * functions and PS4 from its environment before the first line, and `sh -p`, which leaves them out, is unknown to BusyBox.
 */
const shellCode = /\$\(|`|^\s*\(\)/

/**
 * What something goes by on the way to Byleave: the search for its command and the shims of version managers, the loader, a shell, npm, Node, and Byleave
 * itself. The wrapped server has the same environment, and no list can name the tokens and settings that servers need: all other names pass. So this is not
 * the list of code-variables.ts, which has what servers go by, such as Python and Docker; nor does a name pass here because it ends like that of a token.
 */
const onTheWay = new RegExp(
  `^(?:${[
    // Programs, and where and as whom they are started.
    ...["PATH", "PATHEXT", "COMSPEC", "PWD", "OLDPWD", "INIT_CWD", "TMPDIR", "TMP", "TEMP", "SYSTEMROOT", "WINDIR"],
    ...["SYSTEMDRIVE", "HOMEDRIVE", "HOMEPATH", "PROGRAMDATA", "__COMPAT_LAYER", "PSMODULEPATH"],
    // On Windows a command may stand behind PowerShell or a small program for .NET.
    ...["COR(?:ECLR)?_(?:ENABLE_PROFILING|PROFILER\\w*)", "DOTNET_STARTUP_HOOKS"],
    // Shells: what they expand, read or reckon with.
    ...["BASH_\\w+", "BASHOPTS", "SHELLOPTS", "ENV", "PS\\d", "PROMPT_COMMAND", "CDPATH", "FPATH", "ZDOTDIR", "IFS"],
    ...["POSIXLY_CORRECT", "GLOBIGNORE", "EXECIGNORE", "HISTFILE", "KSH_\\w+", "ARGV0", "_"],
    ...["SHLVL", "PPID", "OPTIND", "RANDOM", "SECONDS", "LINENO", "TMOUT", "LINES", "COLUMNS"],
    // Loaders, also those that are put before them, and data of the libraries that a program begins with.
    ...["LD_\\w+", "DYLD_\\w+", "NIX_LD\\w*", "BOX(?:64|86)_\\w+", "QEMU_\\w+", "FEX_\\w+"],
    ...[
      "GCONV_PATH",
      "GLIBC_TUNABLES",
      "LOCPATH",
      "LOCALE_ARCHIVE\\w*",
      "NLSPATH",
      "GETCONF_DIR",
      "TZDIR",
      "MALLOC\\w*",
    ],
    ...["HOSTALIASES", "RESOLV_HOST_CONF", "LOCALDOMAIN", "ICU_\\w+", "OPENSSL_\\w+"],
    "(?:A|HWA|L|M|T|UB)SAN_(?:OPTIONS|SYMBOLIZER_PATH)",
    // Managers of versions: the Node that PATH finds may be theirs.
    ...["(?:__)?(?:MISE|RTX)_\\w+", "ASDF_\\w+", "_?VOLTA_\\w+", "NVM_\\w+", "FNM_\\w+", "NODENV_\\w+", "NODIST_\\w+"],
    ...[
      "PROTO_\\w+",
      "AQUA_\\w+",
      "DIRENV_\\w+",
      "COREPACK_\\w+",
      "_?HERMIT_\\w+",
      "PKGX_\\w+",
      "(?:__)?VFOX_\\w+",
      "NVS_\\w+",
      "N_PREFIX",
    ],
    // npm, and its own words for where commands are installed.
    ...["npm_(?:config|package|lifecycle)_\\w+", "npm_(?:node_)?execpath", "npm_command", "PREFIX", "DESTDIR"],
    // Of Node also what decides whom it trusts and by whom it connects: so it reaches the service.
    `NODE_(?:${[
      ...[
        "OPTIONS",
        "PATH",
        "(?:DISABLE_)?COMPILE_CACHE\\w*",
        "ICU_DATA",
        "PRESERVE_SYMLINKS\\w*",
        "REDIRECT_WARNINGS",
      ],
      ...["REPL_\\w+", "TEST_\\w+", "V8_COVERAGE", "CHANNEL_\\w+", "UNIQUE_ID", "SKIP_PLATFORM_CHECK"],
      ...["EXTRA_CA_CERTS", "TLS_REJECT_UNAUTHORIZED", "USE_ENV_PROXY", "USE_SYSTEM_CA", "PENDING_PIPE_INSTANCES"],
    ].join("|")})`,
    ...["BYLEAVE_\\w+", "APPDIR"],
  ].join("|")})$`,
  "i",
)
