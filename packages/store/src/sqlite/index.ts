export type { Keys } from "../keys.ts"
export { openKeys } from "../keys.ts"
export type { SqliteStoreOptions } from "./open-sqlite-store.ts"
export { openSqliteStore } from "./open-sqlite-store.ts"
