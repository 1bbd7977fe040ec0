import "@byleave/ui/look.css"
import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { createRoot } from "react-dom/client"
import { newQueries } from "./data/page-queries.ts"
import { router } from "./router.tsx"
import { openSession } from "./session/session.ts"
import { SessionProvider } from "./session/session-context.tsx"
import { takeSecret } from "./session/take-secret.ts"

// Before anything else can read it.
const secret = takeSecret(location, history)

// The page forbids itself to evaluate text, so the schemas that some pages load must not even try.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

const page = document.getElementById("page")
if (page === null) throw new Error("The page has no root element.")
const session = await openSession({ url: location.origin, secret, now: Date.now })
const queries = newQueries()
session.subscribe(() => queries.clear())

createRoot(page).render(
  <SessionProvider session={session}>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </SessionProvider>,
)
