/** `npm run extension`: builds the side panel into a folder to load in Chrome, and a zip of it. */
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { buildExtension } from "./bundles/build-extension.ts"
import { panelSize } from "./sizes/panel-size.ts"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { folder, zip } = await buildExtension(root, join(root, "apps", "side-panel", "dist", "byleave-side-panel"))
const { worker, panel, all } = panelSize(folder)
const kB = (bytes: number): string => `${Math.round(bytes / 100) / 10} kB`
console.log(`Built ${relative(process.cwd(), folder)} and ${relative(process.cwd(), zip)}`)
console.log(`Packed: worker ${kB(worker)}, panel ${kB(panel)} before it can be used, ${kB(all)} in all.`)
console.log("In Chrome: chrome://extensions, turn on Developer mode, Load unpacked, and choose that folder.")
