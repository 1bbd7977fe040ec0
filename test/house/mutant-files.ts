import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** A deliberate break: `Breaks:` names the module and its invariant, `Tests:` what must go red. */
export type Mutant = { readonly file: string; readonly breaks: string; readonly tests: readonly string[] }

export function readMutants(root: string): readonly Mutant[] {
  return globSync("test/mutants/**/*.patch", { cwd: root })
    .sort()
    .map((file) => {
      const text = readFileSync(join(root, file), "utf8")
      const breaks = /^Breaks: (.+)$/m.exec(text)?.[1]
      const tests = /^Tests: (.+)$/m.exec(text)?.[1]?.split(" ")
      if (breaks === undefined || tests === undefined) throw new Error(`${file} lacks its Breaks: or Tests: line.`)
      return { file, breaks, tests }
    })
}

/** Every numbered invariant at the head of a module, as `path I3`. */
export function readInvariants(root: string): readonly string[] {
  return globSync("{packages,apps}/*/src/**/*.ts", { cwd: root })
    .filter((file) => !file.includes(".test.") && !file.includes("node_modules"))
    .sort()
    .flatMap((file) => {
      const text = readFileSync(join(root, file), "utf8")
      return [...text.matchAll(/^ \* (I\d+)\. /gm)].map((match) => `${file} ${match[1]}`)
    })
}
