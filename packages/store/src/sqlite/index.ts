export type { SqliteStoreOptions } from "./open-sqlite-store.ts"
export { openSqliteStore } from "./open-sqlite-store.ts"
