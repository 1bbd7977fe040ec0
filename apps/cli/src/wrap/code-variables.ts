/**
 * Variables by which programs load code that is in none of their arguments, or choose where it comes from. A client passes on its whole
 * environment, which is another one in each terminal: whole families count, without the names that vary and choose nothing. What is of no
 * family counts by its value (place-variables.ts).
 *
 * I1. A name of a family that nobody thought of counts, whatever its value.
 */

/** Loaders, shells, and languages and tools that servers are started by. */
const names = new Set(
  [
    ...["ENV", "SHELLOPTS", "PS4", "PROMPT_COMMAND", "CDPATH", "FPATH", "POSIXLY_CORRECT", "ZDOTDIR", "IFS"],
    ...["VIRTUAL_ENV", "CONDA_PREFIX", "CONDARC", "CLASSPATH", "ELECTRON_RUN_AS_NODE"],
    ...["GCONV_PATH", "GLIBC_TUNABLES", "HOSTALIASES"],
    // npm's own words for where commands are installed.
    ...["PREFIX", "DESTDIR"],
  ].map(small),
)
const families = [
  ...["LD_", "DYLD_", "BASH_", "BASHOPTS", "OPENSSL_", "GIT_", "NODE_", "npm_config_", "UV_", "PIP_", "PYTHON", "PERL"],
  ...[
    "RUBY",
    "GEM_",
    "BUNDLE_",
    "BUN_",
    "DENO_",
    "TSX_",
    "TS_NODE_",
    "YARN_",
    "PNPM_",
    "COREPACK_",
    "VOLTA_",
    "DOCKER_",
  ],
  // Managers of versions: the runner that PATH finds may be theirs.
  ...["PYENV_", "ASDF_", "MISE_", "NODENV_", "FNM_", "NVM_", "RTX_", "PROTO_"],
  ...[
    "CONTAINER_",
    "CONTAINERS_",
    "DOTNET_",
    "CORECLR_",
    "COMPlus_",
    "PHP",
    "JULIA_",
    "JAVA_",
    "JDK_",
    "JRE_",
    "_JAVA",
    "LUA_",
  ],
].map(small)
const endings = ["_OPTS", "_OPTIONS", "FLAGS"].map(small)

/** Of tools that a script may start, and servers of a known form do not. */
const toolNames = new Set(
  [
    ...["CC", "CXX", "KUBECONFIG", "AWS_CONFIG_FILE", "CLOUDSDK_CONFIG", "CLOUDSDK_PYTHON"],
    ...["DIRENV_BASH", "DIRENV_CONFIG"],
  ].map(small),
)
const toolFamilies = [
  ...["CARGO_", "RUSTUP_", "RUSTC", "RUSTDOC", "CGO_", "ERL_", "ELIXIR_", "MIX_", "HEX_", "R_", "TF_CLI_"],
  ...["GRADLE_", "MAVEN_", "M2_", "HELM_"],
].map(small)
/** `GOFLAGS`, `GOPROXY`; not `GOOGLE_API_KEY`. */
const ofGo = /^go[a-z\d]+$/

/** They name a program to start. */
const startsProgram = /^(?:shell|comspec|lessopen|lessclose|visual|(?:\w+_)?(?:editor|askpass|pager)|manpager)$/
/** Programs where they are installed for all users, which an administrator writes, and names that are usual everywhere. */
const usualProgram = new RegExp(
  [
    String.raw`^[|-]*\s*(?:/usr(?:/local)?|/opt/homebrew|/run/current-system/sw)?/(?:s?bin|lib|libexec|share)/[\w./-]+(?: %s)*$`,
    String.raw`^/Applications/[\w. /-]+$`,
    String.raw`^[a-z]:\\(?:windows|program files)\\[\w. \\-]+$`,
    "^(?:cat|less|more|true|:|vim?|nvim|nano|emacs|hx|micro|code|cursor|subl)(?: --wait| -[wFRX]+)*$",
  ].join("|"),
  "i",
)

/** They vary between terminals, networks and versions, and choose nothing by themselves; credentials are renewed. */
const choosesNothing = [
  /^npm_config_(?:user_agent|npm_version|noproxy|\/\/.*:_\w+)$/,
  /^node_(?:env|version|debug|no_warnings|disable_colors|extra_ca_certs|use_system_ca|use_env_proxy)$/,
  /^node_(?:v8_coverage|channel_fd|channel_serialization_mode|unique_id)$/,
  /^git_(?:author_\w+|committer_\w+|ssl_ca\w+|trace\w*|ps1_\w+|terminal_prompt|optional_locks)$/,
  /^(?:nvm_(?:bin|inc|cd_flags|rc_version)|fnm_multishell_path|fnm_loglevel|mise_shell|pyenv_shell)$/,
  /^(?:go111module|cargo_term_\w+|bash_silence_deprecation_warning)$/,
  /_(?:token|password|secret|api_?key)$/,
]

const ofPython = /^(?:virtual_env|conda_(?:prefix|exe|python_exe)(?:_\d+)?)$/

/** Servers of these are a file or a package that the command names. */
const knownForms = new Set(["node", "npx", "python", "uvx", "docker", "podman"])

/** Whether some program loads code by a variable of this name. */
export function loadsCode(name: string): boolean {
  return isOfFamily(small(name)) || isOfTool(small(name)) || startsProgram.test(small(name))
}

/** The same for what is started by `runner`, or by a command that is none. */
export function choosesCode(name: string, value: string, runner: string): boolean {
  const key = small(name)
  if (value === "" || isOthers(key, runner)) return false
  return startsProgram.test(key) ? !isUsualProgram(value) : isOfFamily(key) || isOfTool(key)
}

/** Whether the lists have no word for it, so that its value decides. */
export function isUnknown(name: string, runner: string): boolean {
  const key = small(name)
  return !isOthers(key, runner) && !startsProgram.test(key) && !choosesNothing.some((each) => each.test(key))
}

/** Of tools that have no part in what the runner starts. */
function isOthers(key: string, runner: string): boolean {
  // An environment that a terminal has activated for Python does not matter to Node.
  if (ofPython.test(key) && (runner === "node" || runner === "npx")) return true
  return isOfTool(key) && !isOfFamily(key) && knownForms.has(runner)
}

function isOfFamily(key: string): boolean {
  if (choosesNothing.some((each) => each.test(key))) return false
  return names.has(key) || families.some((each) => key.startsWith(each)) || endings.some((each) => key.endsWith(each))
}

function isOfTool(key: string): boolean {
  if (choosesNothing.some((each) => each.test(key))) return false
  return toolNames.has(key) || ofGo.test(key) || toolFamilies.some((each) => key.startsWith(each))
}

function isUsualProgram(value: string): boolean {
  return usualProgram.test(value) && !value.includes("..")
}

/** On Windows, names are the same in capitals and small letters. */
function small(name: string): string {
  return name.toLowerCase()
}
