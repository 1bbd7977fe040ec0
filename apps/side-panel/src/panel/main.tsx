import "@byleave/ui/look.css"
import "./panel.css"
import { createRoot } from "react-dom/client"
import { App } from "./app.tsx"
import { admitTrustedInput } from "./trusted-input.ts"

// Before anything else can hear an event.
admitTrustedInput(window)

// The extension forbids itself to evaluate text, so schemas must not even try.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

const place = document.getElementById("panel")
if (place === null) throw new Error("The panel has no root element.")
createRoot(place).render(<App />)
