// Plain JavaScript that Node 20 understands: setup uses it before anything is installed.
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"

export const howToGetChromium =
  "no Chromium found; apt-get install chromium, or set BYLEAVE_TEST_CHROMIUM to the path of a Chromium or Chrome"

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
const places = ["/usr/bin", "/usr/local/bin", "/snap/bin", "/Applications/Google Chrome.app/Contents/MacOS"]

/** The browser that the page is tried in; undefined when there is none. */
export function findChromium(path = process.env.PATH ?? "") {
  const named = process.env.BYLEAVE_TEST_CHROMIUM
  if (named) return existsSync(named) ? named : undefined
  const folders = [...path.split(delimiter).filter(Boolean), ...places]
  return folders.flatMap((folder) => [...names, "Google Chrome"].map((name) => join(folder, name))).find(existsSync)
}
