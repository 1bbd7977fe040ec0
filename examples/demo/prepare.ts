import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** Where the demonstration keeps everything: its data folder, the scratch workspace and the memory server's file. */
export const demoFolder = join(root, ".byleave", "demo")
export const workspace = join(demoFolder, "workspace")
export const demoConfig = fileURLToPath(new URL("byleave.yaml", import.meta.url))
export const byleave = join(root, "apps", "cli", "src", "main.ts")

const files = new Map([
  ["welcome.txt", "This folder is the agent's to read. What it writes here, somebody has approved.\n"],
  ["notes.md", "# Notes\n\n- water the plants\n- call the dentist\n- return the library book\n- call the dentist\n"],
  ["shopping.md", "# Shopping\n\n- milk\n- bread\n"],
])

/** Makes the scratch workspace; what is there already stays as it is. */
export function prepareWorkspace(): void {
  mkdirSync(workspace, { recursive: true })
  for (const [name, text] of files) {
    const path = join(workspace, name)
    if (!existsSync(path)) writeFileSync(path, text)
  }
}
