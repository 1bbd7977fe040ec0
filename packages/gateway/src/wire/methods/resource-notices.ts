import { serverMethods } from "./server-methods.ts"

const judged = serverMethods.filter(({ form, judgedAs }) => form === "notification" && judgedAs?.includes("resource"))

/** Notifications about one resource, named by `uri`: for clients that subscribed to it and may know of it. */
export const resourceNotices: ReadonlySet<string> = new Set(judged.map(({ method }) => method))
