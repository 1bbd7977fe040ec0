export type { MemoryDatabase } from "./memory/memory-database.ts"
export { newMemoryDatabase } from "./memory/memory-database.ts"
export type { MemoryStoreOptions } from "./memory/open-memory-store.ts"
export { openMemoryStore } from "./memory/open-memory-store.ts"
