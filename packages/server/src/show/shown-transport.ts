import { looksSecret, type Redactor, unambiguousJson } from "@byleave/core"
import type { ServerFacts } from "../server-options.ts"

/** How a server is started or reached, for people, without what is secret in it. */
export function shownTarget(transport: ServerFacts["transport"], redactor: Redactor): string {
  const shown =
    transport.kind === "stdio"
      ? [transport.command, ...withoutSecrets(transport.args)].map(quoted).join(" ")
      : shownUrl(transport.url)
  return redactor.redactText(shown)
}

const mask = "‹hidden›"
/** `--token=X`, `TOKEN=X`, and `--token` whose value is the next word. */
const assigned = /^(-{0,2}([\w-]+)=)([\s\S]*)$/
const flag = /^-{1,2}([\w-]+)$/

/** Names stay, so that people see what is set; values that are secret by name or by looks go. */
function withoutSecrets(args: readonly string[]): readonly string[] {
  return args.map((arg, at) => {
    const [, prefix, name = "", value = ""] = assigned.exec(arg) ?? []
    if (prefix !== undefined) return looksSecret(name, value) ? `${prefix}${mask}` : `${prefix}${shownUrl(value)}`
    if (flag.test(arg)) return arg
    const [, before = ""] = flag.exec(args[at - 1] ?? "") ?? []
    const shown = shownUrl(arg)
    return looksSecret(before, shown) ? mask : shown
  })
}

type Secretive =
  | { readonly kind: "stdio"; readonly args: readonly string[]; readonly env: ReadonlyMap<string, string> }
  | { readonly kind: "http" | "sse"; readonly url: string; readonly headers: ReadonlyMap<string, string> }

/** The parts that are not shown, found by the same tests. */
export function secretsIn(transport: Secretive): readonly string[] {
  const named = [...(transport.kind === "stdio" ? transport.env : transport.headers)]
  const values = named.filter(([name, value]) => looksSecret(name, value)).map(([, value]) => value)
  return [...values, ...(transport.kind === "stdio" ? secretArguments(transport.args) : secretsOfUrl(transport.url))]
}

function secretArguments(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, at) => {
    const [, , name = "", value] = assigned.exec(arg) ?? []
    if (value !== undefined) return looksSecret(name, value) ? [value] : secretsOfUrl(value)
    if (flag.test(arg)) return []
    const [, before = ""] = flag.exec(args[at - 1] ?? "") ?? []
    return looksSecret(before, arg) ? [arg] : secretsOfUrl(arg)
  })
}

function secretsOfUrl(text: string): readonly string[] {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text) || !URL.canParse(text)) return []
  const { username, password, search, hash } = new URL(text)
  return [username, password, search.slice(1), hash.slice(1)].filter((part) => part !== "")
}

/** User names, passwords, queries and fragments are where addresses carry credentials. */
function shownUrl(text: string): string {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text) || !URL.canParse(text)) return text
  const url = new URL(text)
  if (url.username !== "" || url.password !== "") {
    url.username = ""
    url.password = ""
  }
  const query = url.search === "" ? "" : `?${mask}`
  return `${url.protocol}//${url.host}${url.pathname}${query}`
}

function quoted(word: string): string {
  return /^[\w@%+=:,./‹›?-]+$/.test(word) ? word : unambiguousJson(word)
}
