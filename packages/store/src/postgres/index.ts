export type { PostgresStoreOptions } from "./open-postgres-store.ts"
export { openPostgresStore } from "./open-postgres-store.ts"
