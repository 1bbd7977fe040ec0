import { accessRoutes } from "./routes/access-routes.ts"
import { approvalRoutes } from "./routes/approval-routes.ts"
import { auditRoutes } from "./routes/audit-routes.ts"
import { callRoutes } from "./routes/call-routes.ts"
import { grantRoutes } from "./routes/grant-routes.ts"
import { policyRoutes } from "./routes/policy-routes.ts"
import { runRoutes } from "./routes/run-routes.ts"
import { serverRoutes } from "./routes/server-routes.ts"
import { serviceRoutes } from "./routes/service-routes.ts"
import { sessionRoutes } from "./routes/session-routes.ts"

/** The whole API: what the server validates with, the client calls by, and the OpenAPI document is made from. */
export const routes = {
  ...serviceRoutes,
  ...accessRoutes,
  ...approvalRoutes,
  ...grantRoutes,
  ...serverRoutes,
  ...sessionRoutes,
  ...runRoutes,
  ...policyRoutes,
  ...callRoutes,
  ...auditRoutes,
} as const

export type Routes = typeof routes
export type RouteName = keyof Routes
