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
  page(
    "/activity",
    lazyRouteComponent(() => import("./pages/activity/activity-page.tsx"), "ActivityPage"),
  ),
  page(
    "/activity/$id",
    lazyRouteComponent(() => import("./pages/activity/story-page.tsx"), "StoryPage"),
  ),
  page(
    "/permissions",
    lazyRouteComponent(() => import("./pages/permissions/permissions-page.tsx"), "PermissionsPage"),
  ),
  page(
    "/policy",
    lazyRouteComponent(() => import("./pages/policy/policy-page.tsx"), "PolicyPage"),
  ),
  page(
    "/servers",
    lazyRouteComponent(() => import("./pages/servers/servers-page.tsx"), "ServersPage"),
  ),
  page(
    "/sessions",
    lazyRouteComponent(() => import("./pages/sessions/sessions-page.tsx"), "SessionsPage"),
  ),
  page(
    "/audit",
    lazyRouteComponent(() => import("./pages/audit/audit-page.tsx"), "AuditPage"),
  ),
  page(
    "/insight",
    lazyRouteComponent(() => import("./pages/insight/insight-page.tsx"), "InsightPage"),
  ),
  page(
    "/settings",
    lazyRouteComponent(() => import("./pages/settings/settings-page.tsx"), "SettingsPage"),
  ),
  page("/sign-in", NotHere),
]

/** Addresses hold plain words: `?server=files`, never JSON. */
export const router = createRouter({
  routeTree: root.addChildren(pages),
  parseSearch,
  stringifySearch,
  defaultPreload: "intent",
})
