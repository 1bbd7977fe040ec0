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
import { setupRoutes } from "./routes/setup-routes.ts"

export type Routes = typeof serviceRoutes &
  typeof accessRoutes &
  typeof approvalRoutes &
  typeof grantRoutes &
  typeof serverRoutes &
  typeof sessionRoutes &
  typeof runRoutes &
  typeof policyRoutes &
  typeof callRoutes &
  typeof auditRoutes &
  typeof setupRoutes
export type RouteName = keyof Routes

/** The whole API: what the server validates with, the client calls by, and the OpenAPI document is made from. */
export const routes: Routes = {
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
  ...setupRoutes,
}
