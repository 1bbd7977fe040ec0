export { type Keys, openKeys } from "../keys.ts"
export { openSqliteStore, type SqliteStoreOptions } from "./open-sqlite-store.ts"
