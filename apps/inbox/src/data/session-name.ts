import type { SessionView } from "@byleave/api"
import { sessionName as nameOf } from "../pages/waiting/session-name.ts"

/** What people call a session, of which the page knows all there is. Whoever shows it uses `ShownText`. */
export function sessionName(session: SessionView): string {
  return nameOf(session, session)
}
