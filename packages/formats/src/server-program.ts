/** Index of the word that names the server's own program or package; null where how it is started cannot be told. */
export function programAt(words: readonly string[]): number | null {
  let at = 0
  for (;;) {
    const before = runners.get(plainName(words[at] ?? ""))
    if (before === undefined) return at
    at = behind(words, at + 1, before.flags)
    if (before.verbs?.includes(words[at] ?? "") === true) at = behind(words, at + 1, before.flags)
    const word = words[at]
    if (word === undefined || word === "" || word.startsWith("-")) return null
  }
}

function behind(words: readonly string[], from: number, flags: RegExp): number {
  let at = from
  while (flags.test(words[at] ?? "")) at += 1
  return at
}

/** Of `C:\node\npx.cmd`, `node@22` and `python3.12`: npx, node, python. */
function plainName(word: string): string {
  const file = word.split(/[\\/]/).at(-1)?.toLowerCase() ?? ""
  const name = (file.split("@")[0] ?? "").replace(/\.(?:exe|cmd|bat)$/, "")
  return /^python[\d.]*$/.test(name) ? "python" : name
}

/** What may stand before the name of the program: flags that take no other word, and at most one verb. */
type Runner = { readonly flags: RegExp; readonly verbs?: readonly string[] }

const node: Runner = { flags: /^--(?!eval|print|run|test)[a-z][a-z-]*(?:=\S+)?$/ }
const packages: Runner = { flags: /^(?:-y|--yes|-q|--quiet|--no-install|--prefer-o(?:ff|n)line|--package=\S+|--)$/ }
const python: Runner = { flags: /^-(?:[uIsEBOq]+|m)$/ }
const plain: Runner = { flags: /^--$/ }

/** Programs that start another one. Their first word that is no flag is theirs, and no folder of the server. */
const runners: ReadonlyMap<string, Runner> = new Map([
  ...["node", "nodejs", "tsx", "ts-node"].map((name) => [name, node] as const),
  ...["npx", "bunx", "pnpx", "uvx"].map((name) => [name, packages] as const),
  ...["python", "py"].map((name) => [name, python] as const),
  ...["ruby", "php", "perl", "dotnet"].map((name) => [name, plain] as const),
  ["java", { flags: /^-jar$/ }],
  ["cmd", { flags: /^\/[a-z]$/i }],
  ["uv", { flags: /^(?:-q|--quiet|--frozen|--no-sync|--offline|--)$/, verbs: ["run"] }],
  ["pipx", { flags: /^(?:-q|--quiet|--)$/, verbs: ["run"] }],
  ["bun", { flags: /^(?:--bun|--silent|--smol)$/, verbs: ["run", "x"] }],
  ["deno", { flags: /^(?:-A|-q|--quiet|--allow-[a-z]+(?:=\S+)?|--no-[a-z]+)$/, verbs: ["run"] }],
])
