/**
 * Whether PATH chooses what a command runs. In the text of a shell, any word may be a program that PATH finds.
 *
 * I1. A file that is a text is run by what its first line names, or by a shell.
 */
import { closeSync, openSync, readSync } from "node:fs"
import { isAbsolute } from "node:path"
import { isRunner, plainRunner } from "./chosen-program.ts"

const shells = ["sh", "bash", "zsh", "dash", "ash", "ksh", "mksh", "fish", "csh", "tcsh", "busybox", "nu", "pwsh"]
/** They start what their arguments or a file of the folder names. */
const launchers = [
  ...["env", "make", "gmake", "just", "task", "sudo", "doas", "nice", "nohup", "timeout", "time", "xargs", "setsid"],
  ...["stdbuf", "direnv", "mise"],
]
const findByPath = new Set([...shells, "powershell", "cmd", ...launchers])

/** `own`: the command's file, or its name where no file was found. */
export function findsByPath(command: string, own: string): boolean {
  const name = plainRunner(command)
  // The usual form of a runner on Windows.
  if (isRunner(name) && (!isAbsolute(own) || /\.cmd$/i.test(own))) return false
  if (findByPath.has(name) || /\.(?:sh|bat|cmd|ps1)$/i.test(own)) return true
  return isAbsolute(own) && isShellScript(own)
}

/** Files that Node or Python run are found as they are; other texts are taken for a shell's. */
function isShellScript(file: string): boolean {
  const start = startOf(file)
  if (start === "" || start.includes("\0")) return false
  const [first = "", ...rest] = /^#!\s*(.*)/.exec(start)?.[1]?.trim().split(/\s+/) ?? []
  const isEnv = plainRunner(first) === "env"
  const interpreter = isEnv ? rest.find((word) => !word.startsWith("-") && !word.includes("=")) : first
  return !isRunner(plainRunner(interpreter ?? ""))
}

function startOf(file: string): string {
  try {
    const opened = openSync(file, "r")
    try {
      const bytes = Buffer.alloc(512)
      return bytes.toString("latin1", 0, readSync(opened, bytes, 0, bytes.length, 0))
    } finally {
      closeSync(opened)
    }
  } catch {
    return ""
  }
}
