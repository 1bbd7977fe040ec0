import { join } from "node:path"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { build } from "esbuild"

/** The size of the engine in a browser, in bytes. */
export type CoreSize = { readonly minified: number; readonly gzip: number; readonly brotli: number }

/** Bundles everything `@byleave/core` exports, as a browser would load it. */
export async function coreSize(root: string): Promise<CoreSize> {
  const bundle = await build({
    entryPoints: [join(root, "packages/core/src/index.ts")],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2024",
    logLevel: "silent",
  })
  const code = bundle.outputFiles[0]?.contents ?? new Uint8Array()
  return { minified: code.length, gzip: gzipSync(code, { level: 9 }).length, brotli: brotliCompressSync(code).length }
}
