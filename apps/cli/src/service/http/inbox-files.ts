/**
 * The page, as files the build has made. The files in their folder are served by exact name; the address of an inbox page leads to the one
 * document they all begin with. So does any other address that somebody opens in a browser: the page says that nothing is there.
 */
import { extname } from "node:path"
import { fileURLToPath } from "node:url"
import { createKeptFiles } from "./kept-files.ts"

const here = fileURLToPath(import.meta.url)
/** Beside the bundle; and where the build puts it when the sources run as they are. */
const folder = fileURLToPath(
  new URL(/[\\/]dist[\\/]/.test(here) ? "./inbox/" : "../../../dist/inbox/", import.meta.url),
)
const files = createKeptFiles(folder)

/** Addresses of pages, by their first part. */
const pages: ReadonlySet<string> = new Set([
  "",
  "sign-in",
  "activity",
  "permissions",
  "policy",
  "servers",
  "sessions",
  "audit",
  "insight",
  "settings",
])

/** First parts of addresses for programs; a missing address is answered as to a program, even if a browser asks. */
const programs: ReadonlySet<string> = new Set(["api", "v1", "mcp", "assets", "healthz", "readyz", "metrics"])

const types: ReadonlyMap<string, string> = new Map([
  [".html", "text/html; charset=utf-8"],
  [".js", "text/javascript; charset=utf-8"],
  [".css", "text/css; charset=utf-8"],
  [".svg", "image/svg+xml"],
  [".png", "image/png"],
  [".woff2", "font/woff2"],
  [".webmanifest", "application/manifest+json"],
  [".json", "application/schema+json"],
])

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ")

const always = {
  "content-security-policy": policy,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  vary: "accept-encoding",
}

/** The response for a browser at an address of the page; null if the address is none. Holds nothing that is anyone's secret. */
export function inboxFile(request: Request): Response | null {
  if (request.method !== "GET" && request.method !== "HEAD") return null
  const { pathname } = new URL(request.url)
  const name = pathname.slice(1)
  if (!name.endsWith(".br") && isThere(name)) return answer(name, request, name.startsWith("assets/"))
  const first = pathname.split("/", 2)[1] ?? ""
  if (pages.has(first)) return answer("index.html", request, false)
  const isOpened = /\btext\/html\b/.test(request.headers.get("accept") ?? "")
  return isOpened && !programs.has(first) ? answer("index.html", request, false, 404) : null
}

/** One folder deep at most, and no name that means another folder. */
const fileName = /^(?:assets\/)?[\w-][\w.-]*$/

function isThere(name: string): boolean {
  return fileName.test(name) && files.has(name)
}

function answer(name: string, request: Request, isForEver: boolean, status = 200): Response {
  const accepted = request.headers.get("accept-encoding") ?? ""
  const packed = /\bbr\b/.test(accepted) ? files.file(`${name}.br`) : undefined
  const file = isThere(name) ? (packed ?? files.file(name)) : undefined
  if (file === undefined)
    return new Response(notBuilt, { status: 503, headers: { ...always, "content-type": "text/plain" } })
  const headers = {
    ...always,
    "content-type": types.get(extname(name)) ?? "application/octet-stream",
    "content-length": String(file.bytes),
    // Names of assets change with what is in them.
    "cache-control": isForEver ? "public, max-age=31536000, immutable" : "no-cache",
    ...(packed === undefined ? {} : { "content-encoding": "br" }),
  }
  return new Response(request.method === "HEAD" ? null : file.body(), { status, headers })
}

const notBuilt = "The inbox has not been built. Run npm run build, then reload.\n"
