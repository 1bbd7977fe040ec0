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
import { fetching } from "./shell/page-not-loaded.ts"
import { parseSearch, stringifySearch } from "./shell/search-text.ts"

const root = createRootRoute({ component: App, notFoundComponent: NotHere, errorComponent: PageFailed })

function page(path: string, component: RouteComponent) {
  return createRoute({ getParentRoute: () => root, path, component, errorComponent: PageFailed })
}

/** Every page is loaded when it is first opened. */
const pages = [
  page(
    "/",
    lazyRouteComponent(
      fetching(() => import("./pages/waiting/waiting-page.tsx")),
      "WaitingPage",
    ),
  ),
  page(
    "/chat/{-$id}",
    lazyRouteComponent(
      fetching(() => import("./pages/chat/chat-page.tsx")),
      "ChatPage",
    ),
  ),
  page(
    "/review/$session",
    lazyRouteComponent(
      fetching(() => import("./pages/review/review-page.tsx")),
      "ReviewPage",
    ),
  ),
  page(
    "/activity",
    lazyRouteComponent(
      fetching(() => import("./pages/activity/activity-page.tsx")),
      "ActivityPage",
    ),
  ),
  page(
    "/activity/$id",
    lazyRouteComponent(
      fetching(() => import("./pages/activity/story-page.tsx")),
      "StoryPage",
    ),
  ),
  page(
    "/permissions",
    lazyRouteComponent(
      fetching(() => import("./pages/permissions/permissions-page.tsx")),
      "PermissionsPage",
    ),
  ),
  page(
    "/policy",
    lazyRouteComponent(
      fetching(() => import("./pages/policy/policy-page.tsx")),
      "PolicyPage",
    ),
  ),
  page(
    "/servers",
    lazyRouteComponent(
      fetching(() => import("./pages/servers/servers-page.tsx")),
      "ServersPage",
    ),
  ),
  page(
    "/sessions",
    lazyRouteComponent(
      fetching(() => import("./pages/sessions/sessions-page.tsx")),
      "SessionsPage",
    ),
  ),
  page(
    "/sessions/$id",
    lazyRouteComponent(
      fetching(() => import("./pages/sessions/session-page.tsx")),
      "SessionPage",
    ),
  ),
  page(
    "/runs",
    lazyRouteComponent(
      fetching(() => import("./pages/runs/runs-page.tsx")),
      "RunsPage",
    ),
  ),
  page(
    "/runs/$id",
    lazyRouteComponent(
      fetching(() => import("./pages/runs/run-page.tsx")),
      "RunPage",
    ),
  ),
  page(
    "/audit",
    lazyRouteComponent(
      fetching(() => import("./pages/audit/audit-page.tsx")),
      "AuditPage",
    ),
  ),
  page(
    "/insight",
    lazyRouteComponent(
      fetching(() => import("./pages/insight/insight-page.tsx")),
      "InsightPage",
    ),
  ),
  page(
    "/settings",
    lazyRouteComponent(
      fetching(() => import("./pages/settings/settings-page.tsx")),
      "SettingsPage",
    ),
  ),
  page(
    "/connect",
    lazyRouteComponent(
      fetching(() => import("./pages/connect/connect-page.tsx")),
      "ConnectPage",
    ),
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
