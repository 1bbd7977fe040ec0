import { describe, expect, it } from "vitest"
import { choosesCode, isUnknown, loadsCode } from "./code-variables.ts"

describe("a variable of a script's environment", () => {
  it.each([
    ...[
      "BASH_FUNC_node%%",
      "BASH_ENV",
      "BASHOPTS",
      "SHELLOPTS",
      "PS4",
      "CDPATH",
      "ENV",
      "LD_PRELOAD",
      "OPENSSL_MODULES",
    ],
    ...[
      "GIT_CONFIG_COUNT",
      "GIT_CONFIG_KEY_0",
      "GIT_CONFIG_GLOBAL",
      "GIT_SSH_COMMAND",
      "GIT_EXTERNAL_DIFF",
      "GIT_ASKPASS",
    ],
    ...[
      "GOFLAGS",
      "GOPROXY",
      "GOTOOLCHAIN",
      "CARGO_HOME",
      "RUSTC_WRAPPER",
      "RUSTFLAGS",
      "ERL_AFLAGS",
      "R_PROFILE_USER",
    ],
    ...[
      "NODE_COMPILE_CACHE",
      "NODE_OPTIONS",
      "JAVA_OPTS",
      "MAVEN_OPTS",
      "JDK_JAVA_OPTIONS",
      "_JAVA_OPTIONS",
      "MAKEFLAGS",
    ],
    ...[
      "KUBECONFIG",
      "LESSOPEN",
      "EDITOR",
      "SHELL",
      "ComSpec",
      "CORECLR_PROFILER_PATH",
      "LUA_INIT_5_4",
      "npm_config_registry",
    ],
    ...["PREFIX", "DESTDIR", "CONTAINERS_CONF", "CONTAINERS_CONF_OVERRIDE", "CONTAINERS_STORAGE_CONF", "PYENV_VERSION"],
    ...["PYENV_ROOT", "ASDF_DATA_DIR", "MISE_DATA_DIR", "NODENV_ROOT", "NVM_DIR", "FNM_DIR"],
  ])("I1: %s chooses code, and its value is shown", (name) => {
    expect(choosesCode(name, "/tmp/x", "bash")).toBe(true)
    expect(loadsCode(name)).toBe(true)
  })

  it.each([
    ...["NODE_ENV", "NODE_EXTRA_CA_CERTS", "HTTPS_PROXY", "SSL_CERT_FILE", "TERM_SESSION_ID", "VSCODE_IPC_HOOK_CLI"],
    ...["GOOGLE_API_KEY", "GOOSE_MODE", "GIT_AUTHOR_NAME", "GIT_TOKEN", "CARGO_REGISTRY_TOKEN", "UV_PUBLISH_PASSWORD"],
    ...["RUST_LOG", "npm_lifecycle_event", "npm_config_user_agent", "CONDA_SHLVL", "LANG", "LESS", "BROWSER"],
  ])("%s is of no family", (name) => {
    expect(choosesCode(name, "/tmp/x", "bash")).toBe(false)
    expect(loadsCode(name)).toBe(false)
  })

  it.each([
    { name: "LESSOPEN", usual: "| /usr/bin/lesspipe %s", other: "| /usr/bin/../../tmp/lesspipe %s" },
    { name: "SHELL", usual: "/bin/zsh", other: "/tmp/bin/zsh" },
    { name: "EDITOR", usual: "code --wait", other: "vim -S x" },
    { name: "GIT_EDITOR", usual: "true", other: "sh -c x" },
    { name: "GIT_ASKPASS", usual: "/usr/share/code/askpass.sh", other: "/home/me/askpass.sh" },
    { name: "ComSpec", usual: "C:\\Windows\\system32\\cmd.exe", other: "C:\\x\\cmd.exe" },
  ])("$name counts where it is not $usual or the like", ({ name, usual, other }) => {
    expect(choosesCode(name, usual, "bash")).toBe(false)
    expect(choosesCode(name, other, "bash")).toBe(true)
  })

  it("of other tools than the runner's own chooses nothing for a file that Node runs", () => {
    expect(choosesCode("GOPRIVATE", "example.com", "node")).toBe(false)
    expect(choosesCode("BASH_FUNC_node%%", "() { x; }", "node")).toBe(true)
    expect(["GOPATH", "CARGO_HOME", "VIRTUAL_ENV", "CONDA_EXE"].filter((name) => isUnknown(name, "node"))).toEqual([])
  })

  it("whose name varies and chooses nothing is not judged by its value either", () => {
    const varying = ["NODE_EXTRA_CA_CERTS", "FNM_MULTISHELL_PATH", "NVM_BIN", "npm_config_user_agent", "GIT_TOKEN"]
    expect(varying.filter((name) => isUnknown(name, "npx"))).toEqual([])
    expect(isUnknown("SOME_DIR", "npx")).toBe(true)
  })
})
