import { execFile } from "node:child_process"
import { existsSync, globSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { nodeHasher } from "@byleave/core/node"
import { loadConfig } from "@byleave/formats"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))
const pages = globSync(["*.md", "docs/**/*.md", "{packages,apps,examples}/*/README.md"], { cwd: root }).sort()

describe.each(pages)("%s", (page) => {
  const text = readFileSync(join(root, page), "utf8")

  it("links to files and folders that exist", () => {
    const broken = linksIn(text).filter((link) => !existsSync(join(root, dirname(page), link)))
    expect(broken).toEqual([])
  })

  it("links to files that name what the link calls by a code name", () => {
    const missing = [...text.matchAll(/\[`([A-Za-z]+)`\]\(([^)#]+\.ts)\)/g)].filter(
      ([, name = "", link = ""]) => !exports(join(root, dirname(page), link), name),
    )
    expect(missing.map(([whole]) => whole)).toEqual([])
  })

  it("shows code of the examples as it is there", () => {
    const cuts = [...text.matchAll(/<!-- from (\S+) -->\n```[a-z]*\n([\s\S]*?)```/g)]
    const changed = cuts.filter(([, file = "", code = ""]) => !readFileSync(join(root, file), "utf8").includes(code))
    expect(changed.map(([, file, code]) => `${file}: ${code}`)).toEqual([])
  })

  it("R206: shows what commands really print", async () => {
    for (const { args, shown } of commandsIn(text)) {
      const done = await promisify(execFile)(process.execPath, ["apps/cli/src/main.ts", ...args], { cwd: root })
      const printed = done.stdout.split("\n")
      expect(shown.filter((line) => !printed.includes(line))).toEqual([])
    }
  })

  it("shows configurations that load", () => {
    const problems = blocksIn(text, "full").flatMap((block) => {
      const loaded = loadConfig(block, options)
      return loaded.ok ? [] : loaded.problems.map(({ line, message }) => `${line}: ${message}`)
    })
    expect(problems).toEqual([])
  })

  it("shows rules that load", () => {
    const problems = blocksIn(text, "rules").flatMap((block) => {
      const indented = block.replaceAll(/^/gm, "    ")
      const loaded = loadConfig(`version: 1\npolicy:\n  rules:\n${indented}\n`, options)
      return loaded.ok ? [] : loaded.problems.map(({ message }) => `${message}\n${block}`)
    })
    expect(problems).toEqual([])
  })
})

describe("docs/guides/policy.md", () => {
  const guide = readFileSync(join(root, "docs/guides/policy.md"), "utf8")

  it("R209: names every key of the file", () => {
    const full = readFileSync(join(root, "packages/formats/src/fixtures/full.yaml"), "utf8")
    const keys = [...full.matchAll(/\b([a-z]\w*): /g)].map(([, key = ""]) => key)
    const notArguments = keys.filter((key) => !["path", "size", "mode", "dry", "url", "run"].includes(key))
    expect(notArguments.length).toBeGreaterThan(40)
    expect([...new Set(notArguments)].filter((key) => !new RegExp(`[\`. ]${key}\\b`).test(guide))).toEqual([])
  })

  it("shows each kind of file, and rules of its own", () => {
    expect(blocksIn(guide, "full").length).toBeGreaterThanOrEqual(5)
    expect(blocksIn(guide, "rules").length).toBeGreaterThanOrEqual(2)
  })
})

describe("docs/architecture.md", () => {
  it("R207: has a row for every package, which names its folders of code", () => {
    const text = readFileSync(join(root, "docs/architecture.md"), "utf8")
    const folders = globSync("{packages,apps}/*/src/**/*.{ts,tsx,css}", { cwd: root })
      .map((file) => /^((?:packages|apps)\/[^/]+\/src)\/(?:([^/]+)\/)?/.exec(file))
      .map((found) => ({ source: found?.[1] ?? "", folder: found?.[2] ?? "fixtures" }))
    const missing = folders.filter(({ source, folder }) => {
      const row = text.split("\n").find((line) => line.startsWith(`| [${source}](`))
      return row === undefined || (folder !== "fixtures" && !row.includes(`\`${folder}\``))
    })
    expect([...new Set(missing.map(({ source, folder }) => `${source}/${folder}`))]).toEqual([])
  })
})

const options = {
  name: "guide.yaml",
  folder: "/etc/byleave",
  home: "/home/me",
  env: new Map([["TRACKER_TOKEN", "a token of some length"]]),
  hasher: nodeHasher,
}

/** Relative links, without their anchors. */
function linksIn(text: string): readonly string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = ""]) => link.replace(/#.*$/, ""))
    .filter((link) => link !== "" && !/^[a-z]+:/.test(link))
}

/** Blocks that are a whole configuration (```yaml full) or a list of rules (```yaml rules). */
function blocksIn(text: string, kind: "full" | "rules"): readonly string[] {
  const fence = new RegExp(`^\`\`\`(?:yaml|json) ${kind}\\n([\\s\\S]*?)^\`\`\``, "gm")
  return [...text.matchAll(fence)].map(([, block = ""]) => block)
}

/** `$ npm run -s byleave -- …` in console blocks, with the lines shown below it; `…` stands for lines left out. */
function commandsIn(
  text: string,
): ReadonlyArray<{ readonly args: readonly string[]; readonly shown: readonly string[] }> {
  const blocks = [...text.matchAll(/^```console\n([\s\S]*?)^```/gm)].map(([, block = ""]) => block)
  return blocks.flatMap((block) =>
    block.split(/^\$ npm run -s byleave -- /m).flatMap((part) => {
      const [command = "", ...lines] = part.split("\n")
      if (command === "") return []
      const args = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "")
      return [{ args, shown: lines.filter((line) => line !== "" && line !== "…") }]
    }),
  )
}

function exports(file: string, name: string): boolean {
  if (!existsSync(file) || !statSync(file).isFile()) return false
  return new RegExp(`export (?:type|function|async function|const|class) ${name}\\b`).test(readFileSync(file, "utf8"))
}
