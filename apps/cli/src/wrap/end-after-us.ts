/**
 * Ends what a wrap has started when the wrap is killed and cannot do so itself. Most servers end with their input; for one that does not,
 * a shell of a few lines waits at the other end of a pipe, in a session of its own. The system closes the pipe, however the wrap ends.
 *
 * I1. Only the process that was told of is ended, with its group: another one that has its id since was started at another time.
 *
 * Windows has neither such a shell nor process groups: there a server that ignores the end of its input stays.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { Socket } from "node:net"

/** Reads ids of processes, a line each, and when each was started, unless it is to look for that itself. */
export const watching = `
began() {
  if [ -r /proc/self/stat ]; then
    IFS= read -r line <"/proc/$1/stat" || return 0
    set -- \${line##*') '}
    echo "\${20}"
  else
    set -- $(ps -o lstart= -p "$1")
    (IFS=_; echo "$*")
  fi
}
told=
while read -r pid start; do told="$told $pid=\${start:-$(began "$pid")}"; done
end() {
  some=
  for each in $told; do
    pid=\${each%%=*}
    start=\${each#*=}
    if [ -n "$start" ] && [ "$(began "$pid")" = "$start" ]; then
      some=yes
      [ "$1" = none ] || kill -s "$1" -- "-$pid"
    fi
  done
  [ -n "$some" ] || exit 0
}
end none
sleep "\${1:-2}"
end TERM
sleep "\${1:-2}"
end KILL
`

let watcher: ChildProcess | null = null

/** From now on the process ends with this one, and its group. */
export function endAfterUs(pid: number | undefined): void {
  if (pid === undefined || process.platform === "win32") return
  watcher ??= startWatcher()
  watcher.stdin?.write(`${pid}\n`)
}

function startWatcher(): ChildProcess {
  const env = { PATH: "/usr/bin:/bin" }
  const shell = spawn("/bin/sh", ["-c", watching, "byleave-watch"], {
    ...{ cwd: "/", env, detached: true },
    stdio: ["pipe", "ignore", "ignore"],
  })
  // Where there is no shell, it is as it would be without.
  shell.on("error", () => {})
  shell.stdin?.on("error", () => {})
  shell.unref()
  if (shell.stdin instanceof Socket) shell.stdin.unref()
  return shell
}
