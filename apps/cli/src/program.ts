import { fileURLToPath } from "node:url"

const isSource = import.meta.url.endsWith(".ts")

/** The file to start another Byleave with, the same as this one: from its sources, or from the bundle. */
export const program = fileURLToPath(new URL(isSource ? "./main.ts" : "./byleave.js", import.meta.url))
