/**
 * Variables that no list knows, by their values: a launcher may take code from any file, folder or address that one of them names.
 *
 * I1. Whatever its name is, one that names a place, or holds code, counts. Left out are names that differ from one terminal or session to
 * the next and choose nothing, and places that only the system's owner writes.
 * I2. A value is shown where it is a path or an address and nothing else; otherwise it counts without being shown.
 */
import { existsSync } from "node:fs"
import { delimiter, join, resolve } from "node:path"
import { isHomeVariable, ownHome } from "./home-variables.ts"
import { isAddress, type ProgramWord, programWords } from "./program-words.ts"

/** In small letters. */
const choosesNothing = [
  // Where and by whom something was started, and its files for a while.
  /^(?:pwd|oldpwd|owd|init_cwd|_|tmp|temp|tmpdir|tempdir|argv0|appimage|appdir|user|username|logname|host|hostname|name|mail)$/,
  // PATH counts where it chooses (path-words.ts); the others find no programs.
  /^(?:path|pathext|manpath|infopath|ls_?colors|less|less_termcap_\w+|lesshistfile|histfile|ps[1-3]|prompt|rps1)$/,
  // Terminals.
  /^(?:term|colorterm|terminfo|iterm|lc|kitty|wezterm|alacritty|ghostty|konsole|gnome|kde|zellij|byobu|warp|terminator|wt)(?:_\w+)?$/,
  /^(?:tmux\w*|sty|lang|language|tz|windowid|tilix_id|conemu\w+|vte_version|_?p9k_\w+|atuin_\w+|starship_\w+|mcfly_\w+)$/,
  // Logins, desktops and the sockets of both.
  /^(?:ssh_(?:auth_sock|tty|client|connection)|gpg_(?:tty|agent_info)|krb5ccname|sudo_\w+|\w+_sock(?:et)?|i3sock|swaysock)$/,
  /^(?:display|wayland_display|xauthority|iceauthority|session_manager|desktop_\w+|gdmsession|gio_launched_\w+|bamf_\w+)$/,
  // Not the settings of the sound's client, which name a program to start.
  /^pulse_(?:server|cookie|runtime_path|state_path|sink|source|prop_\w+)$/,
  /^xdg_(?:runtime_dir|session_\w+|seat\w*|vtnr|current_desktop|menu_prefix|activation_token|greeter_data_dir)$/,
  /^(?:memory_pressure_\w+|journal_stream|invocation_id|listen_\w+|systemd_\w+|credentials_directory|chrome_desktop|original_xdg_\w+)$/,
  /^(?:__cf\w+|xpc_\w+|apple_pubsub_socket_render|launchinstanceid|wsl\w*|logonserver|onedrive\w*)$/,
  // Clients and editors: the folder that is worked in, sockets, and files of the session.
  /^(?:vscode_\w+|cursor_\w+|zed_\w+|jetbrains_\w+|__intellij_\w+|idea_initial_directory|nvim|nvim_listen_address|myvimrc|inside_emacs)$/,
  /^(?:claude_(?:project_dir|env_file|code_tmpdir|code_execpath)|workspace_folder_paths|\w+_ide_workspace_path)$/,
  // What has been activated in a terminal, by tools that change PATH. Of direnv, the state that it keeps itself, and not what steers it.
  /^(?:direnv_(?:dir|file|diff|watches)|__mise_\w+|nvm_bin|nvm_inc|fnm_multishell_path|npm_package_\w+|npm_lifecycle_\w+|npm_command)$/,
  // Proxies and trusted certificates; credentials are renewed.
  /^(?:\w+_proxy|\w*ssl_cert_(?:file|dir)|\w+_ca_bundle)$/,
  /_(?:token|password|passwd|secret|api_?key|access_?key|secret_?key)$/,
]

const busAddress = /^dbus_\w+_address$/
/** Other transports start a program or reach another machine; several addresses are tried one after the other. */
const busSocket = /^(?:$|unix:(?:path|abstract|dir|tmpdir|runtime)=|launchd:env=)/

const ofSystem = new RegExp(
  [
    String.raw`^/(?:usr|bin|sbin|lib\d*|etc|opt|snap|sys|Applications|System|Library|nix/store|run/current-system)(?:/|$)`,
    String.raw`^/(?:var/(?:mail|lib|spool)|home/linuxbrew/\.linuxbrew)(?:/|$)|^/dev/(?:pts/\d+|tty\w*|null)$`,
    String.raw`^[a-z]:\\(?:windows|program files(?: \(x86\))?|programdata|users\\public)(?:\\|$)`,
  ].join("|"),
  "i",
)
/** What an editor brings along where it works from afar. */
const ofEditor = [".vscode-server", ".vscode-server-insiders", ".cursor-server", ".windsurf-server"]

const code = /\(\)\s*\{|\$[({]|`|=>|\b(?:eval|exec|import|require)\b/
const plainPlace = /^(?:~?\/|\.{1,2}\/|[a-z]:[\\/])[\w@%+=:;,.~/\\ -]*$/i

/** Whether a variable that no list knows chooses code by its value, for what is started in `folder`. */
export function namesPlace(name: string, value: string, folder: string): boolean {
  const key = name.toLowerCase()
  if (busAddress.test(key)) return !value.split(";").every((address) => busSocket.test(address))
  if (isHomeVariable(name) || choosesNothing.some((each) => each.test(key))) return false
  if (code.test(value)) return true
  return (/[/\\]|^[.~]/.test(value) || isInFolder(value, folder)) && !isOfSystem(value) && !isOwn(value)
}

/** Whether what it names is looked for from the folder on, and may be there. */
export function isOfFolder(value: string, folder: string): boolean {
  if (isAddress(value)) return false
  const pieces = value.split(/[=,\s"']/).flatMap((piece) => piece.split(delimiter))
  return pieces.some((piece) => /^\.{1,2}(?:[/\\]|$)/.test(piece) || isInFolder(piece, folder))
}

export function placeWord(name: string, value: string, folder: string): ProgramWord {
  const isShown = (isAddress(value) || plainPlace.test(value)) && !isLikeSecret(value)
  const [word] = isShown ? programWords([`${name}=${value}`], folder) : []
  return word ?? { shown: `${name}=…`, isCut: true, hidden: value }
}

function isInFolder(word: string, folder: string): boolean {
  if (/^(?:\d*|true|false)$/.test(word) || /^(?:[/\\~]|[a-z]:)|\0/i.test(word) || word.length > 1_000) return false
  return existsSync(join(folder, word))
}

function isOfSystem(value: string): boolean {
  const pieces = value.split(delimiter).filter((piece) => piece !== "")
  return !value.includes("..") && pieces.every((piece) => ofSystem.test(piece))
}

/** The user's home, which is judged by itself, and what editors keep in it. */
function isOwn(value: string): boolean {
  const home = ownHome()
  if (home === null || value.includes("..")) return false
  return resolve(value) === home || ofEditor.some((each) => value.startsWith(join(home, each, "/")))
}

function isLikeSecret(value: string): boolean {
  const parts = value.match(/[\w+=-]{24,}/g) ?? []
  return !isAddress(value) && parts.some((part) => /\d/.test(part) && /[a-z]/.test(part) && /[A-Z]/.test(part))
}
