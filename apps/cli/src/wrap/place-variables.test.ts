import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isOfFolder, namesPlace } from "./place-variables.ts"
import { serverProgram } from "./server-program.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "byleave-places-"))
  mkdirSync(join(folder, "prepared"))
})
afterAll(() => rmSync(folder, { recursive: true }))

const programOf = (env: Readonly<Record<string, string>>, command = "npx", args = ["-y", "files-mcp"]) =>
  serverProgram({ command, args, cwd: folder, env: new Map(Object.entries(env)), file: null }, "a key")

describe("a variable that no list knows", () => {
  it.each([
    ...["/srv/x", "./x", "../x", ".x", "~/x", "x/y", "C:\\x\\y", "https://a.test", "file:x/y", "prepared"],
    ...["/usr/lib:/srv/x", "/usr/../srv/x", "() { x; }", "$(x)", "`x`", "--require x", '{ "path": "/srv/x" }'],
  ])("I1: counts with %s", (value) => {
    expect(namesPlace("SOME_TOOLS_OWN", value, folder)).toBe(true)
    expect(programOf({ SOME_TOOLS_OWN: value })).not.toBe(programOf({}))
  })

  it.each([
    "auto",
    "1",
    "true",
    "debug,info",
    "xterm-256color",
    "/usr/share:/etc/xdg",
    "/Applications/X.app/y",
    "/dev/pts/3",
  ])("chooses nothing with %s", (value) => {
    expect(programOf({ SOME_TOOLS_OWN: value })).toBe("npx files-mcp")
  })

  it.each([
    ...["unixexec:path=/tmp/x", "unix:path=/run/user/1/bus;unixexec:path=/tmp/x", "autolaunch:", "tcp:host=a.test"],
    ...["unixexec:path=/usr/bin/x", "x,unix:path=/run/bus"],
  ])("I1: counts as the address of a bus that is no socket: %s", (value) => {
    expect(programOf({ DBUS_SESSION_BUS_ADDRESS: value })).not.toBe(programOf({}))
    expect(programOf({ DBUS_STARTER_ADDRESS: value })).not.toBe(programOf({}))
  })

  it.each([
    "unix:path=/run/user/1000/bus",
    "unix:abstract=/tmp/dbus-x,guid=0123;unix:path=/tmp/x",
    "unix:runtime=yes",
    "launchd:env=DBUS_LAUNCHD_SESSION_BUS_SOCKET",
  ])("chooses nothing as the address of a bus at %s", (value) => {
    expect(programOf({ DBUS_SESSION_BUS_ADDRESS: value })).toBe("npx files-mcp")
  })

  it("I1: of direnv and of the sound's client, what steers them counts", () => {
    const exec = (env: Record<string, string>) => programOf(env, "direnv", ["exec", "/srv/x", "files-mcp"])
    for (const name of ["DIRENV_BASH", "DIRENV_CONFIG", "DIRENV_DUMP_FILE_PATH", "PULSE_CLIENTCONFIG"]) {
      expect(exec({ [name]: "/srv/y/z" }), name).not.toBe(exec({}))
    }
    const state = { DIRENV_DIR: "-/srv/y", DIRENV_FILE: "/srv/y/.envrc", DIRENV_WATCHES: "eJx/y" }
    expect(exec(state)).toBe(exec({}))
  })

  it.each([
    ["__MISE_DIFF", "mise", ["exec", "--", "node", "/srv/x.js"]],
    ["__MISE_ORIG_PATH", "/usr/bin/env", ["mise", "x"]],
    ["DIRENV_DIFF", "/usr/bin/make", ["serve"]],
    ["CLAUDE_PROJECT_DIR", "sh", ["-c", '"$CLAUDE_PROJECT_DIR"/run']],
    ["NVM_BIN", "bash", ["-c", "$" + "{NVM_BIN}/node x.js"]],
  ])("I1: %s counts, without being shown where it is a state, behind %s %s", (name, command, args) => {
    const of = (value: string) => programOf({ [name]: value }, command, args)
    expect(of("/a/b")).not.toBe(of("/c/d"))
    expect(/^CLAUDE|^NVM/.test(name)).toBe(of("/a/b").includes("/a/b"))
  })

  it("I1: what direnv puts back counts where it starts the server, and is not shown", () => {
    const put = (value: string) => ({ DIRENV_DIFF: value })
    const inShell = (value: string) => programOf(put(value), "sh", ["-c", "exec direnv exec . files-mcp"])
    const itself = (value: string) => programOf(put(value), "direnv", ["exec", ".", "files-mcp"])
    for (const started of [inShell, itself]) {
      expect(started("eJxAAA")).not.toBe(started("eJxBBB"))
      expect(started("eJxAAA")).not.toContain("eJx")
    }
    expect(programOf(put("eJxAAA"))).toBe("npx files-mcp")
  })

  it("that names the user's home, or what an editor keeps in it, chooses nothing", () => {
    const home = userInfo().homedir
    expect(programOf({ SOME_HOME: home, BROWSER: `${home}/.vscode-server/bin/x/browser.sh` })).toBe("npx files-mcp")
    expect(programOf({ BROWSER: `${home}/.vscode-server/../x.sh` })).toContain("BROWSER=")
  })

  it("that names something of the folder makes the folder count", () => {
    const values = ["./x", "..", "prepared", "/usr/lib:prepared", "--dir=prepared"]
    expect(values.filter((value) => !isOfFolder(value, folder))).toEqual([])
    expect(
      ["rg --files -g '!.git/'", "/srv/x", "https://a.test/prepared"].filter((each) => isOfFolder(each, folder)),
    ).toEqual([])
    expect(programOf({ SOME_DIR: "prepared" })).toContain(`(in ${folder})`)
  })

  it.each([
    { value: "/srv/x", shown: "SOME_PLACE=/srv/x npx files-mcp" },
    { value: "https://a.test/x", shown: "SOME_PLACE=https://a.test/x npx files-mcp" },
    { value: "postgres://me:xq_7Hd92kLm0Pz4Rt8Wv@db/x", shown: "SOME_PLACE=postgres://me:…@db/x npx files-mcp" },
  ])("I2: $value is shown as $shown", ({ value, shown }) => {
    expect(programOf({ SOME_PLACE: value })).toBe(shown)
  })

  it.each([
    '{ "private_key": "-----BEGIN KEY-----\\nMIIxq7Hd92/kLm0Pz4Rt8Wv" }',
    "/xq7Hd92kLm0Pz4Rt8WvAb5Jn1Yc6Gf3S+a9Ue2",
    "me/xq7Hd92@db",
    "a=b; session=xq7Hd92/x",
  ])("I2: %s is not shown, and counts", (value) => {
    expect(programOf({ SOME_ACCOUNT: value })).toMatch(/^SOME_ACCOUNT=… npx files-mcp \(with what is not shown: \w+\)$/)
    expect(programOf({ SOME_ACCOUNT: `${value}1` })).not.toBe(programOf({ SOME_ACCOUNT: value }))
  })
})

describe("what differs between two starts of the same server", () => {
  const starts = ["/tmp/one", "/tmp/two"].map((place) => ({
    ...{ PATH: `${place}/bin`, PWD: place, OLDPWD: place, _: `${place}/bin/agent`, TMPDIR: place, INIT_CWD: place },
    ...{ SSH_AUTH_SOCK: `${place}/agent.1`, SSH_TTY: "/dev/pts/3", TMUX: `${place}/default,1,0`, XAUTHORITY: place },
    ...{ DBUS_SESSION_BUS_ADDRESS: `unix:path=${place}/bus`, SESSION_MANAGER: `local/x:@${place}/.ICE-unix/1` },
    ...{
      DISPLAY: `${place}/org.xquartz:0`,
      XDG_RUNTIME_DIR: place,
      XDG_SESSION_PATH: place,
      KRB5CCNAME: `FILE:${place}`,
    },
    ...{ MEMORY_PRESSURE_WATCH: `/sys/fs/cgroup${place}/memory.pressure`, WSL_INTEROP: place, NVIM: `${place}/nvim.1` },
    ...{ TERMINFO: place, KITTY_LISTEN_ON: `unix:${place}`, WEZTERM_UNIX_SOCKET: place, GHOSTTY_RESOURCES_DIR: place },
    ...{ GNOME_TERMINAL_SCREEN: `/org/gnome/Terminal/screen${place}`, ALACRITTY_SOCKET: place, ITERM_PROFILE: place },
    ...{ VSCODE_CWD: place, VSCODE_IPC_HOOK_CLI: place, VSCODE_NLS_CONFIG: `{"a":"${place}"}`, CURSOR_TRACE_ID: place },
    ...{ CLAUDE_PROJECT_DIR: place, CLAUDE_ENV_FILE: place, WORKSPACE_FOLDER_PATHS: place, ZED_TERM: "true" },
    ...{ GEMINI_CLI_IDE_WORKSPACE_PATH: place, DIRENV_DIR: `-${place}`, __MISE_ORIG_PATH: place, NVM_BIN: place },
    ...{
      FNM_MULTISHELL_PATH: place,
      npm_package_json: place,
      npm_lifecycle_script: `node ${place}`,
      TZ: `Etc${place}`,
    },
    ...{
      HTTPS_PROXY: `http://proxy.test${place}`,
      SSL_CERT_FILE: place,
      AWS_SECRET_ACCESS_KEY: `a${place}`,
      MAIL: place,
    },
    ...{
      VIRTUAL_ENV: place,
      CONDA_EXE: place,
      GOPATH: place,
      CARGO_HOME: place,
      LS_COLORS: `*.x=${place}`,
      PS1: "`x`",
    },
  }))

  it("makes no other program of it", () => {
    for (const start of starts) expect(programOf(start)).toBe("npx files-mcp")
  })
})
