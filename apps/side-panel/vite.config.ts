import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import react from "@vitejs/plugin-react"
import { defineConfig, type Plugin } from "vite"

const leftOut = fileURLToPath(new URL("src/standalone/left-out.ts", import.meta.url))

/** Beside the bundle: the manifest, the header that requests get, and the icons of the inbox. */
const beside = {
  "manifest.json": "manifest.json",
  "connections.json": "connections.json",
  "icon-192.png": "../inbox/public/icon-192.png",
}

function filesBeside(): Plugin {
  return {
    name: "byleave-files-beside",
    generateBundle() {
      for (const [fileName, path] of Object.entries(beside)) {
        this.emitFile({ type: "asset", fileName, source: readFileSync(new URL(path, import.meta.url)) })
      }
    },
  }
}

export default defineConfig({
  plugins: [react(), filesBeside()],
  publicDir: false,
  // Models are reached by one address; the packages of other providers, and the gateway that names of models lead to, stay out.
  resolve: {
    alias: {
      "@ai-sdk/gateway": leftOut,
      "@ai-sdk/openai": leftOut,
      "@ai-sdk/anthropic": leftOut,
      "@ai-sdk/google": leftOut,
    },
  },
  build: {
    target: "chrome120",
    // Nothing is put into the page itself: its security policy lets no inline script, style or data run.
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { panel: "panel.html", worker: "src/worker/worker.ts" },
      output: { entryFileNames: "[name].js", chunkFileNames: "parts/[name]-[hash].js" },
    },
  },
})
