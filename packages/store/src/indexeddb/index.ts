export { countWaiting } from "./count-waiting.ts"
export { holdOwnership, type Ownership } from "./hold-ownership.ts"
export { type IndexedDbStoreOptions, openIndexedDbStore } from "./open-indexeddb-store.ts"
