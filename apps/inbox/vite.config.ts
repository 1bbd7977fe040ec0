import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

export default defineConfig({
  plugins: [react()],
  build: {
    target: "es2024",
    // Nothing is put into the page itself: its security policy lets no inline script, style or data run.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Modules that most pages need are one file: dozens of small ones pack worse and take longer to fetch. `npm run check` weighs the result.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "shared", minShareCount: 9 }] } } },
  },
})
