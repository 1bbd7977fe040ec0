import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

/** Measures in a process of its own: what one part taught the compiler must not slow the next. */
export function apart<Numbers>(file: string, name: string, ...args: readonly string[]): Numbers {
  const url = new URL(`./${file}`, import.meta.url)
  const program = `import { ${name} } from ${JSON.stringify(url.href)}
    console.log(JSON.stringify(await ${name}(${args.map((arg) => JSON.stringify(arg)).join(", ")})))`
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
    cwd: fileURLToPath(new URL("..", import.meta.url)),
  })
  if (status !== 0) throw new Error(`${name} failed:\n${stderr}`)
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Numbers
}
