export { type MemoryDatabase, newMemoryDatabase } from "./memory/memory-database.ts"
export { type MemoryStoreOptions, openMemoryStore } from "./memory/open-memory-store.ts"
