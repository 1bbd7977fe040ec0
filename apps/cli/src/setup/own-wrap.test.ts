import { expect, it } from "vitest"
import { steeringVariable } from "./own-wrap.ts"

const data = "/home/ana/.local/share/byleave"
const found = (env: Readonly<Record<string, string>>, hasEnvFile = false) =>
  steeringVariable({ env: new Map(Object.entries(env)), hasEnvFile }, data)

it.each([
  // Shells, which bin/byleave is run by.
  ...["SHELLOPTS", "BASHOPTS", "BASH_ENV", "BASH_XTRACEFD", "BASH_FUNC_readlink%%", "__BASH_FUNC(find)", "ENV"],
  ...["PS0", "PS4", "IFS", "CDPATH", "FPATH", "ZDOTDIR", "GLOBIGNORE", "POSIXLY_CORRECT", "SHLVL", "OPTIND", "_"],
  // The loader and what libraries begin with.
  ...["LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "GCONV_PATH", "LOCPATH", "GLIBC_TUNABLES", "MALLOC_CHECK_"],
  ...["OPENSSL_CONF", "OPENSSL_MODULES", "ICU_DATA", "ASAN_OPTIONS"],
  // Node, npm, and what installs and starts either.
  ...["NODE_OPTIONS", "node_options", "NODE_PATH", "NODE_COMPILE_CACHE", "NODE_EXTRA_CA_CERTS", "NODE_USE_ENV_PROXY"],
  ...[
    "npm_config_prefix",
    "npm_lifecycle_event",
    "INIT_CWD",
    "VOLTA_HOME",
    "ASDF_DATA_DIR",
    "MISE_DATA_DIR",
    "NVM_DIR",
  ],
  ...["HERMIT_ENV", "_HERMIT_OLD_PATH", "PKGX_DIR", "VFOX_HOME", "__VFOX_SHELL", "NVS_HOME", "N_PREFIX"],
  // Loaders before the loader, and what version managers keep in the environment, whatever their names end in.
  ...["NIX_LD", "NIX_LD_LIBRARY_PATH", "NIX_LD_x86_64_linux", "BOX64_LD_PRELOAD", "BOX86_PATH", "QEMU_LD_PREFIX"],
  ...["QEMU_SET_ENV", "FEX_ROOTFS", "__MISE_DIFF", "__MISE_ORIG_PATH", "MISE_SHELL", "DIRENV_DIFF", "NVM_BIN"],
  ...["LD_PRELOAD_TOKEN", "BASH_FUNC_TOKEN", "npm_config_registry", "NODE_TLS_REJECT_UNAUTHORIZED", "NODE_CHANNEL_FD"],
  ...["COR_PROFILER_PATH", "CORECLR_ENABLE_PROFILING", "DOTNET_STARTUP_HOOKS"],
  // The search for the program, its data folder, its cache of compiled code, and what Byleave itself reads.
  ...["PATH", "Path", "PATHEXT", "ComSpec", "SystemRoot", "HOME", "USERPROFILE", "LOCALAPPDATA", "APPDATA", "TMPDIR"],
  ...["XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "BYLEAVE_STORE", "BYLEAVE_SWITCHES", "BYLEAVE_TOKEN"],
])("I2: %s may put something else in Byleave's place", (name) => {
  expect(found({ NOTES_TOKEN: "x", [name]: "x" })).toBe(name)
})

it.each(["$(x)", "a $(x)", "`x`", "() { x; }", " () { x; }"])("I2: nor does a name pass with %s", (value) => {
  expect(found({ SOME_WORD: value })).toBe("SOME_WORD with code of a shell in its value")
})

it("I2: variables of another file are not known", () => {
  expect(found({}, true)).toBe("envFile")
})

it("I2: this Byleave's own data folder may be named, and no other", () => {
  expect(found({ BYLEAVE_DATA: data })).toBeNull()
  for (const other of ["", "./data", `${data}/../x`, "/srv/x"])
    expect(found({ BYLEAVE_DATA: other })).toBe("BYLEAVE_DATA")
})

it("what servers are configured by passes", () => {
  expect(
    found({
      ...{ GITHUB_PERSONAL_ACCESS_TOKEN: "ghp_x", OPENAI_API_KEY: `\${input:key}`, DATABASE_URL: "postgres://a@b/c" },
      ...{ NOTES_DIR: "/home/ana/notes", LOG_LEVEL: "debug", PORT: "1", DEBUG: "*", LANG: "C.UTF-8", TZ: "UTC" },
      ...{ NODE_ENV: "production", PYTHONUNBUFFERED: "1", KUBECONFIG: "/home/ana/.kube/x", DOCKER_HOST: "unix:///x" },
      ...{
        HTTPS_PROXY: "http://proxy.test:1",
        SSL_CERT_FILE: "/etc/x.pem",
        GOOGLE_APPLICATION_CREDENTIALS: "./key.json",
      },
    }),
  ).toBeNull()
})

it.each([
  ...["PYTHONPATH", "VIRTUAL_ENV", "UV_INDEX_URL", "UV_CACHE_DIR", "PIP_INDEX_URL", "DOCKER_CONFIG", "CONTAINER_NAME"],
  ...["GIT_DEFAULT_PATH", "GIT_AUTHOR_NAME", "GIT_SSH_COMMAND", "JAVA_OPTS", "JAVA_TOOL_OPTIONS", "GOPATH", "GOPROXY"],
  ...[
    "DOTNET_ROOT",
    "DOTNET_ENVIRONMENT",
    "PERL5LIB",
    "PHP_INI_SCAN_DIR",
    "RUBYOPT",
    "GEM_HOME",
    "CARGO_HOME",
    "R_HOME",
  ],
  ...["TF_CLI_ARGS", "HELM_KUBECONTEXT", "FEATURE_FLAGS", "MCP_OPTIONS", "SEARCH_OPTIONS", "EDITOR", "PAGER"],
  ...["NODE_TOKEN", "NODE_AUTH_TOKEN", "NODE_URL", "NODE_DEBUG", "NPM_TOKEN", "ASANA_ACCESS_TOKEN", "PATH_PREFIX"],
])("%s passes: only servers go by it", (name) => {
  expect(found({ [name]: "/srv/x" })).toBeNull()
})
