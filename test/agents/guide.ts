import { readdirSync, readFileSync } from "node:fs"

/** The configurations of docs/guides/clients, cut out of its pages: what people copy is what is run. */
export type Way = "wrap" | "one address"
export const ways: readonly Way[] = ["wrap", "one address"]

/** The ways of the guide, and `byleave setup` on a file that knows nothing of Byleave. */
export type PlayedWay = Way | "setup"
export const playedWays: readonly PlayedWay[] = [...ways, "setup"]

/** What the guide says of one client and one way: the files to write, and the command to start it with. */
export type Setup = {
  readonly files: ReadonlyArray<{ readonly path: string; readonly text: string }>
  readonly command: readonly string[]
}

type Block = { readonly introduction: string; readonly language: string; readonly text: string }

/** The page about all clients, followed by those of each: their titles are sections of it. */
export function readGuide(): string {
  const guides = new URL("../../docs/guides/", import.meta.url)
  const pages = readdirSync(new URL("clients/", guides)).sort()
  const texts = pages.map((page) => readFileSync(new URL(`clients/${page}`, guides), "utf8"))
  return [readFileSync(new URL("clients.md", guides), "utf8"), ...texts.map(oneLevelDown)].join("\n")
}

/** Headings outside code become headings of the next level. */
function oneLevelDown(text: string): string {
  return text
    .split(/^(```[\s\S]*?^```)$/m)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll(/^#(?=#* )/gm, "##")))
    .join("")
}

/** Throws a sentence when the guide has no such section, or a section without files or command. */
export function setupIn(guide: string, section: string, way: Way): Setup {
  const blocks = blocksOf(byHand(sectionOf(guide, `## ${section}`)), way)
  const files = blocks
    .filter(({ language }) => language !== "sh")
    .map(({ introduction, text }) => {
      return { path: pathIn(introduction, section), text }
    })
  const command = blocks.filter(({ language }) => language === "sh").map(({ text }) => wordsOf(text))[0]
  if (files.length === 0) throw new Error(`The guide has no file for ${section} (${way}).`)
  if (command === undefined) throw new Error(`The guide does not say how to start ${section} (${way}).`)
  return { files, command }
}

/** A client's setup before Byleave: the file of the way "wrap" with its server alone, and nothing that keeps the client from asking. */
export function plainSetupIn(guide: string, section: string): Setup {
  const { files, command } = setupIn(guide, section, "wrap")
  const own = files.filter(({ text }) => text.includes("wrap"))
  return { files: own.map(({ path, text }) => ({ path, text: unwrapped(text) })), command }
}

/** As the guide writes it, in JSON, TOML and YAML. */
function unwrapped(text: string): string {
  return text
    .replace(/"?byleave"?(?=,?\n)/, (word) => (word.startsWith('"') ? '"npx"' : "npx"))
    .replace(/\[("?)wrap"?, "?--name"?, "?files"?, "?--"?, "?npx"?, /, "[")
    .replace('["byleave", "wrap", "--name", "files", "--", ', "[")
    .replace(/,?\n\s*"trust": true|\ndefault_tools_approval_mode = .*|\nrequired = true/g, "")
}

/** The `byleave.yaml` of the guide: its rules, and its servers for the way that needs them. */
export function byleaveYamlIn(guide: string, way: Way): string {
  const blocks = blocksOf(guide.slice(0, guide.indexOf("\n## ")), way).filter(({ language }) => language === "yaml")
  const [rules, servers] = blocks.map(({ text }) => text)
  if (rules === undefined || servers === undefined) throw new Error("The guide has no byleave.yaml at its beginning.")
  return way === "wrap" ? rules : `${rules}${servers}`
}

/** The part that says what to write; commands that write it for people are run elsewhere. */
function byHand(section: string): string {
  const [, after = ""] = section.split("\n### By hand\n")
  return `\n${after.split("\n### ")[0] ?? ""}`
}

function sectionOf(guide: string, heading: string): string {
  const start = guide.indexOf(`\n${heading}\n`)
  if (start < 0) throw new Error(`The guide has no section "${heading}".`)
  const end = guide.indexOf("\n## ", start + 1)
  return guide.slice(start, end < 0 ? undefined : end)
}

/** The code blocks of one way. A paragraph that begins with "Wrap" or "One address" says whose what follows is; "Either way" is both's. */
function blocksOf(section: string, way: Way): readonly Block[] {
  let whose: Way | null = null
  const found: Block[] = []
  const pattern =
    /(?<=\n\n)(?<introduction>(?!```)[^\n]+(?:\n(?!```)[^\n]+)*)(?:\n\n```(?<language>\w+)\n(?<text>[\s\S]*?)```)?/g
  for (const { groups } of section.matchAll(pattern)) {
    const { introduction = "", language, text } = groups ?? {}
    whose = ownerOf(introduction, whose)
    if (language === undefined || text === undefined) continue
    if (whose === null || whose === way) found.push({ introduction, language, text })
  }
  return found
}

function ownerOf(introduction: string, before: Way | null): Way | null {
  if (introduction.startsWith("Wrap")) return "wrap"
  if (introduction.startsWith("One address")) return "one address"
  return /^and\b/.test(introduction) ? before : null
}

function pathIn(introduction: string, section: string): string {
  const path = /in `([^`]+)`/i.exec(introduction)?.[1]
  if (path === undefined)
    throw new Error(`The guide does not name the file of a block of ${section}: "${introduction}"`)
  return path
}

/** The words of a command line; what stands in double quotes is one word. */
function wordsOf(line: string): readonly string[] {
  return [...line.trim().matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "")
}
