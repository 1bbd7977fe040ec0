import type { Policy } from "@byleave/core"
import { builtInTemplates, templateId, templateVersions } from "../templates/built-in.ts"
import type { BuiltInTemplate } from "../templates/template.ts"
import type { ListNode, MapEntry, YamlNode } from "../text/tree.ts"
import { nearestWord } from "./did-you-mean.ts"
import { readList, readText } from "./fields.ts"
import type { WrittenPolicy } from "./read-policy.ts"
import { readTemplateText, type TemplatePolicy } from "./read-template.ts"
import { expandText, type Reading } from "./reading.ts"
import { resolvePath } from "./resolve-path.ts"

/** Reads `policy.use`: the templates whose rules hold besides the file's own. `servers`: the ids that the file has. */
export function readUse(node: YamlNode, servers: readonly string[], reading: Reading): readonly TemplatePolicy[] {
  const list = readList(node, "`use`", reading.report)
  const used = new Set<string>()
  return (list?.items ?? []).flatMap((item) => {
    return usesIn(item, servers, reading).flatMap((use) => {
      const label = labelOf(use)
      if (used.has(label)) reading.report.error(item, "bad-template", `\`${label}\` is used twice. Keep one of them.`)
      used.add(label)
      return readOne(use, reading) ?? []
    })
  })
}

/** The file's own policy with those of its templates: the strictest default, and every rule. */
export function withTemplates(
  { default: own, unattended, ...policy }: Omit<WrittenPolicy, "use">,
  templates: readonly TemplatePolicy[],
): Omit<Policy, "version" | "servers" | "limits" | "wait" | "waits"> {
  const defaults = [own, ...templates.map((template) => template.default)].filter((word) => word !== undefined)
  const isUnattended = unattended === true || templates.some((template) => template.unattended === true)
  return {
    ...policy,
    default: strictestFirst.find((word) => defaults.includes(word)) ?? "ask",
    ...(isUnattended ? { unattended: true } : {}),
    rules: [...policy.rules, ...templates.flatMap(({ rules }) => rules)],
    classify: [...policy.classify, ...templates.flatMap(({ classify }) => classify)],
    forbiddenModes: [...new Set([policy, ...templates].flatMap(({ forbiddenModes }) => forbiddenModes))],
  }
}

const strictestFirst = ["deny", "ask", "allow"] as const satisfies ReadonlyArray<Policy["default"]>

/** One template, and the server it is for; null: all of them. */
type Use = { readonly name: string; readonly server: string | null; readonly place: YamlNode | MapEntry }

function labelOf({ name, server }: Use): string {
  return server === null ? name : `${name}(${server})`
}

/** `name`, or `{ name: server }`, or `{ name: [server, …] }`. */
function usesIn(item: YamlNode, servers: readonly string[], reading: Reading): readonly Use[] {
  if (item.kind !== "map") {
    const name = readText(item, "each entry of `use`", reading.report)
    return name === undefined ? [] : [{ name, server: null, place: item }]
  }
  return item.entries.flatMap((entry) => {
    const named = entry.value.kind === "list" ? (entry.value satisfies ListNode).items : [entry.value]
    return named.flatMap((node) => {
      const server = readText(node, `the server of \`${entry.key}\``, reading.report)
      if (server === undefined) return []
      if (servers.length > 0 && !servers.includes(server)) warnUnknown(node, server, servers, reading)
      return [{ name: entry.key, server, place: entry }]
    })
  })
}

function warnUnknown(node: YamlNode, server: string, servers: readonly string[], { report }: Reading): void {
  const nearest = nearestWord(server, servers)
  const advice = nearest === undefined ? `The servers here are: ${servers.join(", ")}.` : `Did you mean \`${nearest}\`?`
  const message = `\`${server}\` is a server this file does not have. ${advice} (It is fine for one that \`byleave wrap\` stands before.)`
  report.warn(node, "unmatched-server", message)
}

const isFile = /^(?:\.{1,2}[/\\]|[/~\\]|[A-Za-z]:[/\\])|\.(?:ya?ml|json)$/

function readOne(use: Use, reading: Reading): TemplatePolicy | undefined {
  return isFile.test(use.name) ? readOwn(use, reading) : readBuiltIn(use, reading)
}

/** A file of the user's. What is wrong with it is told with its own lines; that it cannot be read, where it is used. */
function readOwn(use: Use, reading: Reading): TemplatePolicy | undefined {
  const { name, server, place } = use
  const { report, folder, home } = reading
  const path = resolvePath(expandText(name, place, reading, "path"), folder, home)
  if (path === undefined) {
    report.error(place, "bad-value", "`~` is not known here. Write the whole path.")
    return undefined
  }
  const text = reading.readTemplate(path)
  if (text === null) {
    const message = `The template ${path} cannot be read. It must be UTF-8 text that you are allowed to read.`
    report.error(place, "bad-template", message)
    return undefined
  }
  const inFile = { ...reading, name: path, folder: folderOf(path), report: report.within(path), template: labelOf(use) }
  return readTemplateText(text, labelOf(use), server, inFile)
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"))) || "/"
}

function readBuiltIn(use: Use, reading: Reading): TemplatePolicy | undefined {
  const template = findBuiltIn(use, reading)
  if (template === undefined) return undefined
  const { server, place } = use
  if ((template.for === "server") !== (server !== null)) {
    const message =
      server === null
        ? `\`${template.name}\` is for one server. Write \`{ ${template.name}: SERVER }\` with the server's id.`
        : `\`${template.name}\` is about every server. Write \`- ${template.name}\` without a server.`
    reading.report.error(place, "bad-template", message)
    return undefined
  }
  const label = labelOf({ ...use, name: templateId(template) })
  const inTemplate = { ...reading, name: `template ${templateId(template)}`, template: label, isBuiltIn: true }
  return readTemplateText(template.text, label, server, inTemplate)
}

function findBuiltIn({ name, place }: Use, { report }: Reading): BuiltInTemplate | undefined {
  const [plain = "", version] = name.split("@")
  const versions = templateVersions(plain)
  const found = version === undefined ? versions.at(-1) : versions.find((each) => templateId(each) === name)
  if (found !== undefined) return found
  const names = [...new Set(builtInTemplates.map((template) => template.name))]
  const nearest = nearestWord(plain, names)
  const message =
    versions.length > 0
      ? `This Byleave has no version ${version} of \`${plain}\`. It has: ${versions.map(templateId).join(", ")}.`
      : `There is no template \`${name}\`. ${nearest === undefined ? `There are: ${names.join(", ")}; a file of yours is written \`./team.yaml\`.` : `Did you mean \`${nearest}\`?`}`
  report.error(place, "bad-template", message)
  return undefined
}
