import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
} from "@tanstack/react-router"
import { App } from "./shell/app.tsx"
import { NotHere } from "./shell/not-here.tsx"
import { PageFailed } from "./shell/page-failed.tsx"
import { parseSearch, stringifySearch } from "./shell/search-text.ts"

const root = createRootRoute({ component: App, notFoundComponent: NotHere, errorComponent: PageFailed })

function page(path: string, component: RouteComponent) {
  return createRoute({ getParentRoute: () => root, path, component, errorComponent: PageFailed })
}

/** Every page is loaded when it is first opened. */
const pages = [
  page(
    "/",
    lazyRouteComponent(() => import("./pages/waiting/waiting-page.tsx"), "WaitingPage"),
  ),
  page("/sign-in", NotHere),
]

/** Addresses hold plain words: `?server=files`, never JSON. */
export const router = createRouter({
  routeTree: root.addChildren(pages),
  parseSearch,
  stringifySearch,
  scrollRestoration: true,
  defaultPreload: "intent",
})
