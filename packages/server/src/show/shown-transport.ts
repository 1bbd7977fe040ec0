import { looksSecret, type Redactor, showText } from "@byleave/core"
import type { ServerFacts } from "../server-options.ts"

/** How a server is started or reached, for people, without what is secret in it. */
export function shownTarget(transport: ServerFacts["transport"], redactor: Redactor): string {
  const shown =
    transport.kind === "stdio"
      ? [transport.command, ...withoutSecrets(transport.args)].map(quoted).join(" ")
      : shownUrl(transport.url)
  return showText(redactor.redactText(shown))
}

const mask = "‹hidden›"
const flag = /^-{1,2}([\w-]+)(?:=([\s\S]*))?$/

/** `--token X` and `--token=X` keep their names; so does anything that looks like a secret by itself lose its value. */
function withoutSecrets(args: readonly string[]): readonly string[] {
  return args.map((arg, at) => {
    const [, name, value] = flag.exec(arg) ?? []
    if (name !== undefined) return value !== undefined && looksSecret(name, value) ? `--${name}=${mask}` : arg
    const [, before = ""] = flag.exec(args[at - 1] ?? "") ?? []
    return looksSecret(before, arg) ? mask : shownUrl(arg)
  })
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
  return /^[\w@%+=:,./‹›?-]+$/.test(word) ? word : JSON.stringify(word)
}
