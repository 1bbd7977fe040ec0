import { createRequire } from "node:module"
import type { Plugin } from "esbuild"

/**
 * `import … from "node:http"` makes Node evaluate everything that module exports, and with it a whole HTTP client and WebSockets that nobody
 * here uses; asked for by name, it does not. The parts of `node:https` that only some commands need are loaded when first used.
 */
export const leanBuiltins: Plugin = {
  name: "lean builtins",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^node:https?$/ }, ({ path }) => ({ path, namespace, sideEffects: false }))
    onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      contents: path === "node:http" ? eager(path) : lazy(path),
      loader: "js",
    }))
  },
}

const namespace = "lean-builtin"
const require = createRequire(import.meta.url)

/** These are the ones that load all the rest. */
const costly: ReadonlySet<string> = new Set(["WebSocket", "CloseEvent", "MessageEvent"])

function eager(path: string): string {
  const names = Object.keys(require(path)).filter((name) => !costly.has(name))
  return `const found = process.getBuiltinModule("${path}")
${names.map((name) => `export const ${name} = /* @__PURE__ */ (() => found.${name})()`).join("\n")}
export default found`
}

/** Functions, and classes that are only ever made anew. */
function lazy(path: string): string {
  const members = Object.entries<unknown>(require(path))
  const names = members.flatMap(([name, member]) => (typeof member === "function" ? [name] : []))
  const call = `new.target ? Reflect.construct(found().NAME, args) : found().NAME(...args)`
  return `const found = () => process.getBuiltinModule("${path}")
${names.map((name) => `export function ${name}(...args) { return ${call.replaceAll("NAME", name)} }`).join("\n")}`
}
